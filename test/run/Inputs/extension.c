/* extension.c - a module of Python whose one function allocates, accesses and frees a chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>
__attribute__((noinline)) static long extension_work(int n) {
  int *volatile a = malloc(100 * sizeof *a);
  long s = 0;
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i < n; i++)
    s += a[i];
  free(a);
  return s;
}
static PyObject *work(PyObject *self, PyObject *args) {
  (void)self;
  (void)args;
  return PyLong_FromLong(extension_work(100));
}
static PyMethodDef methods[] = {{"work", work, METH_NOARGS, ""},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT,
                                    "extension",
                                    NULL,
                                    -1,
                                    methods,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL};
PyMODINIT_FUNC PyInit_extension(void) { return PyModule_Create(&module); }
