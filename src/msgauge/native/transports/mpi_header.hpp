// mpi.h without anybody's C++ bindings.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#define MPIPP_H  // LAM's guard of its C++ bindings

#include <mpi.h>
