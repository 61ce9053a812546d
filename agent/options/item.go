package options

// Item is an option of the short form, for a list that Parse reads: a switch if the value is empty.
func Item(name, value string) string {
	if value == "" {
		return name
	}
	return name + "=" + escaper.Replace(value)
}
