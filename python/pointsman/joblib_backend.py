# SPDX-License-Identifier: Apache-2.0
# A parallel backend of joblib that runs on a policy.
"""joblib on the resources of a policy::

    import pointsman as pm
    from pointsman import joblib_backend
    import joblib

    joblib_backend.register(pm.DynamicLoad())
    with joblib.parallel_backend("pointsman"):
        joblib.Parallel()(joblib.delayed(pow)(2, i) for i in range(10))

Needs joblib, which pointsman itself does not require.
"""

from pointsman._joblib import register

__all__ = ["register"]
