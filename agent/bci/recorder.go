package bci

// recorderClass is the name of the class with the methods that hooks call.
const recorderClass = "java/lang/TrcxRecorder"

const (
	recorderVersion = 52     // Java 8, which every JVM that the agent supports accepts
	recorderAccess  = 0x1031 // public, final, super, synthetic
	reportAccess    = 0x0109 // public, static, native
	methodAccess    = 0x0009 // public, static
)

// A method that calls a native one, without arguments. The JVM lets a class of the boot loader replace native methods
// of the JDK without a warning, if one of its own methods calls the native method that does so.
var (
	replace     = Report{"replace", Nothing}
	replacement = Report{"replaceNatives", Nothing}
)

// Recorder returns the class file of the class with the methods that hooks call: final, without fields or constructors,
// with a static native method for each Report, and replace, which calls the native replaceNatives. The native methods
// are linked by their JNI names, such as Java_java_lang_TrcxRecorder_started. The agent defines the class in the boot
// loader, where every class can resolve it.
func Recorder() []byte { return recorder(nil) }

// recorder returns the class file, with methods of this body, or native ones if it is nil.
func recorder(body []byte) []byte {
	pool := growth{next: 1}
	this := pool.add2(tagClass, pool.text(recorderClass))
	super := pool.add2(tagClass, pool.text("java/lang/Object"))
	code := pool.text(codeName)
	var methods []byte
	put := func(access int, r Report, body []byte) {
		name, descriptor := pool.text(r.Name), pool.text(arguments[r.With].descriptor)
		methods = append2(append2(append2(methods, access), name), descriptor)
		if body == nil {
			methods = append2(methods, 0)
			return
		}
		methods = append4(append2(append2(methods, 1), code), 12+len(body))
		methods = append4(append2(append2(methods, 0), arguments[r.With].words), len(body))
		methods = append4(append(methods, body...), 0) // no handlers, no attributes
	}
	access := reportAccess
	if body != nil {
		access = methodAccess
	}
	for _, r := range append(reports[:len(reports):len(reports)], replacement) {
		put(access, r, body)
	}
	call := pool.add4(tagMethodref, this, pool.add4(tagNameAndType, pool.text(replacement.Name), pool.text("()V")))
	put(methodAccess, replace, append(append2([]byte{opInvokestatic}, call), opReturn))
	out := append4([]byte(magic), recorderVersion)
	out = append(append2(out, pool.next), pool.constants...)
	out = append2(append2(append2(out, recorderAccess), this), super)
	out = append2(append2(out, 0), 0) // no interfaces, no fields
	out = append(append2(out, len(reports)+2), methods...)
	return append2(out, 0)
}
