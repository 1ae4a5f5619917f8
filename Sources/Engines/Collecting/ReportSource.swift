// SPDX-License-Identifier: Apache-2.0

/// One start of one box; its reports are numbered from 1.
public struct ReportSource: Hashable, Sendable {
    public let box: String
    /// Id of the start: `0000000a-0123456789abcdef`.
    public let boot: String

    public init(box: String, boot: String) { (self.box, self.boot) = (box, boot) }
}
