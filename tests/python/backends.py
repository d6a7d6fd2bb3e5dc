# SPDX-License-Identifier: Apache-2.0
"""The backends on which tests run."""

import os

BACKENDS = [name for name in os.environ.get("HORNBEAM_TEST_BACKENDS", "cpu,opencl").split(",") if name]
