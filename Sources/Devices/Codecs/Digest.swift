// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec

/// Digests by libavutil, for checksum manifests.
public enum Digest {
    /// - Returns: 64 hexadecimal digits, lower case.
    public static func sha256(_ bytes: [UInt8]) throws(CodecError) -> String {
        guard let context = av_sha_alloc() else { throw .outOfMemory }
        defer { av_free(UnsafeMutableRawPointer(context)) }
        guard av_sha_init(context, 256) == 0 else { throw .missing("SHA-256") }
        av_sha_update(context, bytes, bytes.count)
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
