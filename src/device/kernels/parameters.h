// SPDX-License-Identifier: Apache-2.0
// The parameters of all kernels of list.h, once: see signature.h.
#ifndef HORNBEAM_DEVICE_KERNELS_PARAMETERS_H
#define HORNBEAM_DEVICE_KERNELS_PARAMETERS_H
#include "device/kernels/parameters_of_gas.h"
#include "device/kernels/parameters_of_steps.h"
#include "device/kernels/parameters_of_tree.h"
#include "device/kernels/parameters_of_walks.h"
#include "device/kernels/signature.h"

#endif
