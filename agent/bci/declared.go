package bci

// Declared is a method of a class file.
type Declared struct {
	Name, Descriptor string // as the class file has them
	// HasCode reports that it is neither abstract nor native. Synthetic reports that it is not in the source: a bridge,
	// or another method that the compiler made.
	HasCode, Synthetic bool
}

// The flags of methods that the compiler made.
const accBridge, accSynthetic = 0x0040, 0x1000

// Methods returns the name of a class, with slashes, and its methods.
func Methods(data []byte) (class string, methods []Declared, err error) {
	cl, err := readClass(data)
	if err != nil {
		return "", nil, err
	}
	for _, m := range cl.methods {
		methods = append(methods, m.declared())
	}
	return cl.name, methods, nil
}

func (m *method) declared() Declared {
	return Declared{m.name, m.descriptor, m.code != nil, m.access&(accBridge|accSynthetic) != 0}
}
