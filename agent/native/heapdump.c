//go:build agent

#include "heapdump.h"

#include "hotspot.h"

// say_failure says why there is no dump: by the exception that is pending, which it clears.
static void say_failure(JNIEnv *env, const char *file) {
	jthrowable thrown = (*env)->ExceptionOccurred(env);
	(*env)->ExceptionClear(env);
	jclass class = thrown != NULL ? (*env)->GetObjectClass(env, thrown) : NULL;
	jmethodID describe = class != NULL ? (*env)->GetMethodID(env, class, "toString", "()Ljava/lang/String;") : NULL;
	jstring reason = describe != NULL ? (*env)->CallObjectMethod(env, thrown, describe) : NULL;
	(*env)->ExceptionClear(env);
	const char *text = reason != NULL ? (*env)->GetStringUTFChars(env, reason, NULL) : NULL;
	say("the heap dump %s could not be written: %s", file, text != NULL ? text : "the JVM gives no reason");
	if (text != NULL) {
		(*env)->ReleaseStringUTFChars(env, reason, text);
	}
}

// diagnostics returns the bean by which a JVM offers dumps, and its method for that; NULL with an exception if it has none,
// as a Java runtime without the module jdk.management.
static jobject diagnostics(JNIEnv *env, jmethodID *dump) {
	jclass factory = (*env)->FindClass(env, "java/lang/management/ManagementFactory");
	jclass bean = factory != NULL ? (*env)->FindClass(env, "com/sun/management/HotSpotDiagnosticMXBean") : NULL;
	*dump = bean != NULL ? (*env)->GetMethodID(env, bean, "dumpHeap", "(Ljava/lang/String;Z)V") : NULL;
	jmethodID get = *dump != NULL ? (*env)->GetStaticMethodID(env, factory, "getPlatformMXBean",
										"(Ljava/lang/Class;)Ljava/lang/management/PlatformManagedObject;")
								  : NULL;
	return get != NULL ? (*env)->CallStaticObjectMethod(env, factory, get, bean) : NULL;
}

void write_heap_dump(JNIEnv *env, const char *file) {
	jmethodID dump = NULL;
	jobject bean = diagnostics(env, &dump);
	jstring name = bean != NULL && !(*env)->ExceptionCheck(env) ? (*env)->NewStringUTF(env, file) : NULL;
	if (name != NULL) {
		// The dump is of live objects: those that a collection leaves. Z reaches no others without one. In JDK 25 it
		// has stopped by now, and would be waited for forever.
		jboolean collect = hotspot_collector() != Z;
		(*env)->CallVoidMethod(env, bean, dump, name, collect);
	}
	if (name == NULL || (*env)->ExceptionCheck(env)) {
		say_failure(env, file);
	}
}
