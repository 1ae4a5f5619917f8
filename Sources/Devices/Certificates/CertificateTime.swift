// SPDX-License-Identifier: Apache-2.0
import CLibCrypto
import Glibc

/// An end of a certificate's validity. It may be in the year 9999, which `WallTime` cannot be.
public struct CertificateTime: Comparable, Sendable, CustomStringConvertible {
    /// Since 1970-01-01T00:00:00Z; negative before.
    public let seconds: Int64
    /// By RFC 3339: `9999-12-31T23:59:59Z`.
    public let description: String

    /// nil if it is no time.
    init?(_ time: UnsafePointer<ASN1_TIME>?) {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        seconds = Int64(timegm(&parts))
        func digits(_ value: Int32, _ width: Int) -> String {
            let text = "\(value)"
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let day = "\(digits(parts.tm_year + 1_900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
        description = "\(day)T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))Z"
    }

    public static func < (a: CertificateTime, b: CertificateTime) -> Bool { a.seconds < b.seconds }
    public static func == (a: CertificateTime, b: CertificateTime) -> Bool { a.seconds == b.seconds }
}
