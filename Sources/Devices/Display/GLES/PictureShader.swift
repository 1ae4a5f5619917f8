// SPDX-License-Identifier: Apache-2.0

/// Weighs a picture's samples by a triangle as wide as that of libswscale's bilinear filter. For an enlarged picture it
/// covers a sample and its neighbours; for a reduced one, all samples that a stage pixel covers and as many around.
/// Samples are read as integers, so deep ones need no extension. Samples outside the crop do not count.
enum PictureShader {
    /// - Parameter readsShared: whether samples are 0...1, as those of imported images are.
    static func text(readsShared: Bool) -> String {
        let (plane, read) =
            readsShared
            ? ("sampler2D", "floor(texelFetch(plane, ivec2(x, y), 0).rg * whole + 0.5)")
            : ("usampler2D", "vec2(texelFetch(plane, ivec2(x, y), 0).rg)")
        return """
            #version 300 es
            #define Plane \(plane)
            precision highp Plane;
            #define READ \(read)
            \(body)
            """
    }

    private static let body = """
        precision highp float;
        precision highp int;

        uniform Plane plane0, plane1, plane2;
        uniform float whole;                      // what a sample of 1.0 counts
        uniform int arrangement;                  // planes: 1 gray, 2 chroma in pairs, 3
        uniform vec4 turn;                        // luma sample = turn * pixel + origin
        uniform vec2 origin;
        uniform vec2 reach;                       // of a pixel, in luma samples
        uniform ivec2 step_;
        uniform vec2 subsampling;
        uniform vec2 siting;
        uniform ivec4 luma, chroma;               // the crop: left, top, right, bottom
        uniform ivec4 held;                       // of luma and of chroma: the picture's first row, and how many
        uniform int field;                        // -1: all rows
        uniform vec3 fromLuma, fromFirst, fromSecond, offset;  // first of chroma: blue, or of a pair maybe red
        uniform vec2 limits;                      // neutral, highest
        uniform int transfer;
        uniform float opacity;
        uniform bool isRedFirst;
        out vec4 pixel;

        vec2 at(Plane plane, int x, int y) { return READ; }

        // A row of the other field is the cubic through four of this one's.
        vec2 shown(Plane plane, ivec2 rows, int x, int y) {
            if (field < 0 || rows.y == 1 || ((y - rows.x) & 1) == field) return at(plane, x, y);
            int first = rows.x + field, last = (rows.y - 1 - field) / 2 * 2 + first;
            vec2 inner = at(plane, x, clamp(y - 1, first, last)) + at(plane, x, clamp(y + 1, first, last));
            vec2 outer = at(plane, x, clamp(y - 3, first, last)) + at(plane, x, clamp(y + 3, first, last));
            return clamp(floor((inner * 9.0 - outer + 8.0) / 16.0), 0.0, limits.y);
        }

        vec2 weighed(Plane plane, ivec2 rows, vec2 place, vec2 reach, ivec4 bounds) {
            ivec2 first = ivec2(floor(place - reach)) + 1;
            ivec2 last = ivec2(ceil(place + reach)) - 1;
            vec3 sum = vec3(0.0);
            for (int y = first.y; y <= last.y; y += step_.y) {
                float height = 1.0 - abs(float(y) - place.y) / reach.y;
                int row = clamp(y, bounds.y, bounds.w);
                for (int x = first.x; x <= last.x; x += step_.x) {
                    float weight = height * (1.0 - abs(float(x) - place.x) / reach.x);
                    sum += vec3(shown(plane, rows, clamp(x, bounds.x, bounds.z), row), 1.0) * weight;
                }
            }
            return sum.xy / sum.z;
        }

        \(ToneMapShader.text)

        void main() {
            vec2 place = gl_FragCoord.x * turn.xy + gl_FragCoord.y * turn.zw + origin;
            vec3 sampled = vec3(weighed(plane0, held.xy, place, reach, luma).x, limits.xx);
            if (arrangement > 1) {
                vec2 beside = (place - siting) / subsampling;
                vec2 near = max(vec2(1.0), reach / subsampling);
                sampled.yz = weighed(plane1, held.zw, beside, near, chroma);
                if (arrangement > 2) sampled.z = weighed(plane2, held.zw, beside, near, chroma).x;
            }
            vec3 colour = fromLuma * sampled.x + fromFirst * sampled.y + fromSecond * sampled.z + offset;
            colour = clamp(colour, 0.0, 1.0);
            if (transfer != 0) colour = toned(colour);
            pixel = vec4(isRedFirst ? colour : colour.bgr, 1.0) * opacity;
        }
        """
}
