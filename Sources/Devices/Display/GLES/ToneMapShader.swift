// SPDX-License-Identifier: Apache-2.0

/// Maps BT.2100 to what an SDR display shows, as `ToneMap` does: BT.2390's curve from 1 000 to 203 cd/m² on each
/// primary, BT.2087 to BT.709's primaries, then BT.1886's signal.
enum ToneMapShader {
    static let text = """
        const float peak = 1000.0, diffuseWhite = 203.0;
        // BT.2100, table 4.
        const float m1 = 2610.0 / 16384.0, m2 = 2523.0 / 32.0;
        const float c1 = 3424.0 / 4096.0, c2 = 2413.0 / 128.0, c3 = 2392.0 / 128.0;

        float pqLight(float code) {
            float root = pow(max(0.0, code), 1.0 / m2);
            return 10000.0 * pow(max(0.0, root - c1) / (c2 - c3 * root), 1.0 / m1);
        }

        float pqCode(float nits) {
            float power = pow(max(0.0, nits) / 10000.0, m1);
            return pow((c1 + c2 * power) / (1.0 + c3 * power), m2);
        }

        // BT.2390, 5.4.1.
        float compressed(float nits) {
            float top = pqCode(peak);
            float highest = pqCode(diffuseWhite) / top;
            float knee = 1.5 * highest - 0.5;
            float value = min(1.0, pqCode(nits) / top);
            if (value <= knee) return nits;
            float t = (value - knee) / (1.0 - knee);
            float t2 = t * t, t3 = t2 * t;
            float spline =
                (2.0 * t3 - 3.0 * t2 + 1.0) * knee + (t3 - 2.0 * t2 + t) * (1.0 - knee) + (3.0 * t2 - 2.0 * t3) * highest;
            return pqLight(spline * top);
        }

        // BT.2100, table 5, with the system gamma of a display of 1 000 cd/m².
        float displayed(float code) {
            if (transfer == 1) return pqLight(code);
            float scene =
                code <= 0.5 ? code * code / 3.0 : (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12.0;
            return peak * pow(scene, 1.2);
        }

        vec3 toned(vec3 code) {
            vec3 light = vec3(compressed(displayed(code.r)), compressed(displayed(code.g)), compressed(displayed(code.b)));
            light = clamp(light / diffuseWhite, 0.0, 1.0);
            const mat3 narrowed = mat3(
                1.660491, -0.124550, -0.018151, -0.587641, 1.132900, -0.100579, -0.072850, -0.008350, 1.118730);
            return pow(clamp(narrowed * light, 0.0, 1.0), vec3(1.0 / 2.4));
        }
        """
}
