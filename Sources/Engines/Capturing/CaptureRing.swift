// SPDX-License-Identifier: Apache-2.0
import PacketCaptures
import Time

/// The newest frames that fit into so many octets, each with what stands in front of it in a file. The oldest give way.
public struct CaptureRing: Sendable {
    private var storage: [UInt8]
    /// Where the oldest record begins, and how many octets there are from it on, around the end.
    private var start = 0
    public private(set) var octets = 0
    /// Frames that are there.
    public private(set) var frames = 0
    /// Frames that gave way to newer ones, and those that were larger than the ring.
    public private(set) var passedOver = 0

    /// - Parameter capacity: of the records in octets; those of a file but its header.
    public init(capacity: Int) { storage = [UInt8](repeating: 0, count: capacity) }

    /// - Parameters:
    ///   - frame: its beginning, as much as is kept.
    ///   - length: octets of the whole frame.
    public mutating func add(_ frame: ArraySlice<UInt8>, of length: Int, at time: WallTime) {
        let header = CaptureFile.recordHeader(at: time, kept: frame.count, of: length)
        let needed = header.count + frame.count
        guard needed <= storage.count else {
            passedOver += 1
            return
        }
        while octets + needed > storage.count { removeOldest() }
        append(header[...])
        append(frame)
        frames += 1
    }

    /// The file of what is there.
    /// - Parameter snap: the most octets of a frame that were kept.
    public func file(snap: Int) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(CaptureFile.headerOctets + octets)
        file += CaptureFile.header(snap: snap)
        let end = min(storage.count, start + octets)
        file += storage[start..<end]
        file += storage[..<(octets - (end - start))]
        return file
    }

    /// Octets of the file.
    public var fileOctets: Int { CaptureFile.headerOctets + octets }

    private mutating func removeOldest() {
        // The third field of a record's header is how much of the frame is kept.
        let kept = (8..<12).reduce(0) { $0 << 8 | Int(storage[(start + $1) % storage.count]) }
        let size = CaptureFile.recordHeaderOctets + kept
        start = (start + size) % storage.count
        octets -= size
        frames -= 1
        passedOver += 1
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        let place = (start + octets) % storage.count
        let first = min(piece.count, storage.count - place)
        storage.withUnsafeMutableBytes { target in
            piece.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[place...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[..<first]))
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first...]))
            }
        }
        octets += piece.count
    }
}
