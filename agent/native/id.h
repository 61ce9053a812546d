//go:build agent

// Ids of objects, classes and methods, which stay the same for one recording.
//
// An object's id is in its JVMTI tag, which moves with the object. A class's id is in the tag of its mirror, a method's
// in a table. The definition of an id is published before the id occurs in a record.
#ifndef TRCX_ID_H
#define TRCX_ID_H

#include "agent.h"

// object_id returns the object's id, which it defines when the object is seen first; 0 if the definition is lost.
int64_t object_id(JNIEnv *env, jobject object);

// object_id_as is object_id, but defines a new object as an instance of the class, unless that is NULL.
int64_t object_id_as(JNIEnv *env, jobject object, jclass class);

// new_object_id defines an object of the class that has no Java object, and returns its id; 0 if the definition is lost.
int64_t new_object_id(jclass class);

// known_object_id returns the object's id; 0 if the object has not been seen in this recording.
int64_t known_object_id(jobject object);

// class_id returns the class's id, which it defines when the class is seen first; 0 if the definition is lost.
int64_t class_id(jclass class);

// reserve_object_id returns an id for an object that is being allocated. set_allocated gives it to the object, and
// marks the object's allocation as published.
int64_t reserve_object_id(void);
void set_allocated(jobject object, int64_t id);

// is_allocated reports whether the tag belongs to an object whose allocation is published in this recording;
// object_of_tag returns the object's id.
bool is_allocated(jlong tag);
int64_t object_of_tag(jlong tag);

// method_id returns the method's id; 0 if the definition is lost, HIDDEN if stack traces begin below the method.
enum { HIDDEN = -1 };
int64_t method_id(JNIEnv *env, jmethodID method);

// define_named publishes a definition, whose names are in the payload, of a class or of a method of the class that is
// known only by its names. It returns the id; 0 if the definition is lost.
int64_t define_named(enum kind kind, int64_t class, const void *payload, size_t size);

// ids_reset gives all objects, classes and methods new ids, for another recording.
void ids_reset(void);

#endif
