// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The NAL units between start codes of 3 or 4 octets, found without copying. Octets before the first start code are
/// skipped. It is valid only while the bytes are.
public struct NALUnits: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    /// Offset of the next 00 00 01; the end of the bytes if there is none.
    private var code: Int

    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        code = StartCode.offset(in: bytes, from: 0)
    }

    public mutating func next() -> NALUnit? {
        while code < bytes.count {
            let start = code > 0 && bytes[code - 1] == 0 ? code - 1 : code
            let head = code + 3
            code = StartCode.offset(in: bytes, from: head)
            var end = code
            while end > head, bytes[end - 1] == 0 { end -= 1 }
            if head < end { return NALUnit(header: bytes[head], start: start, range: head..<end) }
        }
        return nil
    }
}
