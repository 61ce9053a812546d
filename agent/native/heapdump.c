//go:build agent

#include "heapdump.h"

#include "hotspot.h"

// say_failure reports why there is no dump: the pending exception, which it clears.
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

// diagnostics returns the bean by which a JVM offers dumps, and its method for them; NULL with an exception if the JVM
// has no such bean, like a Java runtime without the module jdk.management.
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
		// The dump has the live objects, which a collection leaves. Z needs no collection for that; in JDK 25 it has
		// stopped by now, so waiting for its collection would never end.
		jboolean collect = hotspot_collector() != Z;
		(*env)->CallVoidMethod(env, bean, dump, name, collect);
	}
	if (name == NULL || (*env)->ExceptionCheck(env)) {
		say_failure(env, file);
	}
}
