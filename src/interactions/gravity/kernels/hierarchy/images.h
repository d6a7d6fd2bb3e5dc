// SPDX-License-Identifier: Apache-2.0
// Images of the sources in the walk from cell to cell. An entry of lists and stacks is a cell, or a particle, with the
// number of its image in front: one walk goes through all images. The sources themselves are image 0; where targets are
// points, none of them, there is no image 0, so that no entry is the number of a target.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_IMAGES_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_IMAGES_H
#include "device/kernels/language.h"
#include "physics/portable.h"
HB_KERNELS_OPEN

typedef struct {
  HB_GLOBAL const pos_t* shifts;  ///< x, y, z of each; null where the sources are alone
  i32 mask;                       ///< the bits of a number within an image
} SourceImages;

HB_DEVICE_FN SourceImages source_images(HB_GLOBAL const pos_t* shifts, i32 bits) {
  SourceImages images;
  images.shifts = shifts;
  images.mask = (i32)((1u << bits) - 1u);
  return images;
}

/// The cell, or particle, of an entry.
HB_DEVICE_FN i32 entry_number(SourceImages images, i32 entry) { return entry & images.mask; }

HB_DEVICE_FN i32 bits_of_number(SourceImages images) { return hb_popcount((u32)images.mask); }

/// Moves a place to where the entry's image has it.
HB_DEVICE_FN void move_to_image(SourceImages images, i32 entry, pos_t* x, pos_t* y, pos_t* z) {
  if (!images.shifts) return;
  HB_GLOBAL const pos_t* const shift = images.shifts + 3 * (entry >> bits_of_number(images));
  *x += shift[0];
  *y += shift[1];
  *z += shift[2];
}

HB_KERNELS_CLOSE
#endif
