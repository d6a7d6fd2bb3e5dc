// SPDX-License-Identifier: Apache-2.0
// Sizes that the kernels and the host, which launches them and lays out their memory, must agree on.
#ifndef HORNBEAM_DEVICE_KERNELS_SIZES_H
#define HORNBEAM_DEVICE_KERNELS_SIZES_H

/// Work items of a block.
#define HB_BLOCK 256
/// Lanes of a warp.
#define HB_WARP 32
/// Targets of a lane in the group walk.
#define HB_TARGETS 2
/// Largest group of a warp.
#define HB_MAX_GROUP (HB_WARP * HB_TARGETS)
/// Targets of an item in direct summation: on an H200 four are 5 % faster than two, and eight no faster. In fp64 what
/// four keep in local memory would be more than the 32 KiB that every device has.
#define HB_DIRECT_TARGETS (HB_PRECISION == HB_DOUBLE ? 2 : 4)
/// Targets of a block in direct summation.
#define HB_DIRECT_SPAN (HB_BLOCK * HB_DIRECT_TARGETS)
/// Targets of a block of direct summation for few.
#define HB_FEW 8
/// Particles near its targets that a warp that gathers notes before it sums over them.
#define HB_ROUND 768
/// Of these it lays out so many at a time.
#define HB_LAID_OUT (2 * HB_WARP)
/// Warps that share the sums of a crowded target at most, and those that sum for all of them.
#define HB_CROWD_PARTS 1024
#define HB_CROWD_ROWS 4096
/// Which targets are crowded: those that a warp sums for, and those that reach so far that many share each.
#define HB_CROWD_NEAR 0
#define HB_CROWD_FAR 1
/// Targets are crowded, too, once their group has had a round for each so many of the sources that one of them may
/// find.
#define HB_CROWD_ROUND 64
/// Sums of a gatherer at most.
#define HB_MOST_SUMS 32
/// The largest k for which warps note the nearest sources in local memory.
#define HB_MOST_NEAREST 32
/// Pieces into which a spread-out group is cut.
#define HB_PIECES 8
/// Where the counts of spread-out pieces and groups are counted.
#define HB_SPREAD_PIECES 0
#define HB_SPREAD_GROUPS 1
#define HB_SPREAD_COUNTS 2
/// Counts of a walk by item: particle sources, multipole sources, expansions; targets that met them.
#define HB_COUNTS 4
/// Largest leaf_size: the options of gravity and of neighbour search refuse others.
#define HB_LARGEST_LEAF 1024
/// Children a node may have: in the moments of nodes each has a lane of its own.
#define HB_CHILDREN 8
/// Nodes that a warp makes at a time.
#define HB_WARP_NODES (HB_WARP / HB_CHILDREN)
/// Values of a box: least x, y, z, then largest.
#define HB_BOX_VALUES 6
/// Blocks of the reductions at most: enough to fill any device.
#define HB_MOST_SUM_BLOCKS 1024
/// Sampled targets of a block of direct summation in fp64.
#define HB_SAMPLE_TARGETS 4
/// Keys, alike in the bits by which they were sorted, that one item puts in order.
#define HB_MOST_IN_RUN 24
/// Pairs of bodies that one block lets collide to the end.
#define HB_LAST_PAIRS 1024
/// Why the order of particles may not be final: more keys were alike; equal keys are not in the order of the input.
#define HB_LONG_RUNS 1u
#define HB_TIES 2u

#endif
