package builder

// Contents consumes what arrays and containers of binary heap dumps hold. An error ends the reading.
type Contents interface {
	// Array consumes what an array holds.
	Array(Array) error
	// Container consumes an instance of a Container, or of a subclass.
	Container(Held) error
}

// Array is what an array of a heap dump holds.
type Array struct {
	ID, Class uint64 // the class as in Heap.Object
	// Size is in bytes, with header and alignment, 0 if unknown.
	Size uint64
	// Length counts the elements, Filled those that are neither null nor 0.
	Length, Filled uint32
	// Hash is equal for arrays of one class, length and content, and else hardly ever.
	Hash uint64
	// Head is the beginning of the elements, at most MaxHead bytes. It is valid until the call returns.
	Head []byte
}

// MaxHead is the maximal length of Array.Head.
const MaxHead = 128

// Held is an instance of a Container: the value of its size field, and the id of its storage, 0 for null.
type Held struct {
	ID, Class, Size uint64
	Container       *Container
	Elements        int32
	Storage         uint64
}

// Container describes a class whose instances keep elements in an array.
type Container struct {
	Class    string // internal name
	Elements string // the field with the number of elements; of String with the coder
	Storage  string // the field with the array
}

// StringContainer is java.lang.String. Its elements are not counted: the number is the string's coder.
const StringContainer = "java/lang/String"

// ContainerOf returns the container whose class has the internal name, or nil.
func ContainerOf(class string) *Container {
	for _, c := range containers {
		if c.Class == class {
			return &c
		}
	}
	return nil
}

// containers are the classes of the JDK whose fields are read.
var containers = []Container{
	{StringContainer, "coder", "value"},
	{"java/util/HashMap", "size", "table"},
	{"java/util/Hashtable", "count", "table"},
	{"java/util/ArrayList", "size", "elementData"},
	{"java/util/Vector", "elementCount", "elementData"},
	{"java/util/PriorityQueue", "size", "queue"},
	{"java/lang/AbstractStringBuilder", "count", "value"},
}
