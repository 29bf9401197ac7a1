#include "material/law_point.h"

#define POINT(name, n, lower, public)                                                              \
    static void point_##name(const lanes F[9], const double(*parameter)[LANES],                    \
                             law_tangent tangent, law_point *out)                                  \
    {                                                                                              \
        lanes p[LAW_PARAMETERS];                                                                   \
        for (int i = 0; i < (n); i++)                                                              \
            p[i] = lanes_load(parameter[i]);                                                       \
        law_evaluate(LAW_##name, F, p, tangent, out);                                              \
    }
LAW_EACH(POINT)

#define ENTRY(name, n, lower, public) [LAW_##name] = point_##name,
law_function *const law_table[LAW_KINDS] = {LAW_EACH(ENTRY)};
