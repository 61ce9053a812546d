package diff

// Pattern returns the pattern of a thread's name.
var Pattern = pattern
