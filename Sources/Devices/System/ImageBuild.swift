// SPDX-License-Identifier: Apache-2.0

/// The build of the image that this program is part of (SVM-07).
public enum ImageBuild {
    /// Written by `board/image`: a line with the commit.
    static let path = "/usr/share/touchline/build"

    /// "dev" in a program that is part of no image. It is the same for as long as the program runs.
    public static let id = read(path) ?? "dev"

    /// - Returns: nil unless the file has one line of 1...64 letters, digits, '.', '_', '+' and '-'.
    static func read(_ path: String) -> String? {
        guard let octets = (try? DurableFile.read(path, limit: 256)) ?? nil else { return nil }
        let text = String(decoding: octets, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard let line = text.first, text.dropFirst().allSatisfy(\.isEmpty), (1...64).contains(line.utf8.count),
            line.unicodeScalars.allSatisfy({ scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || "._+-".unicodeScalars.contains(scalar))
            })
        else { return nil }
        return String(line)
    }
}
