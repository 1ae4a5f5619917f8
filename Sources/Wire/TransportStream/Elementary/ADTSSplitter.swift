// SPDX-License-Identifier: Apache-2.0

/// Cuts audio units into AAC frames, also those that begin in one unit and end in the next, and finds the next frame
/// behind damage.
public struct ADTSSplitter: Sendable {
    /// One frame: its header, and a time stamp where one is known. A frame of several in a unit gets the unit's time
    /// stamp and the duration of those before it; exact to one tick per frame.
    public struct Frame: Sendable, Equatable {
        public let header: ADTSHeader
        public let pts: UInt64?
        /// The samples before this frame are missing.
        public let followsLoss: Bool
    }

    /// Octets that belonged to no frame.
    public private(set) var skippedBytes: UInt64 = 0
    public private(set) var resyncs: UInt64 = 0

    private var partial: [UInt8] = []
    /// Of the frame that `partial` begins.
    private var partialPTS: UInt64?
    private var isLost = false

    public init() { partial.reserveCapacity(2 * 0x2000) }

    /// - Parameter lost: something is missing before or within these bytes.
    /// - Parameter emit: called with each frame and its bytes, header included; valid only during the call.
    public mutating func push(
        _ bytes: UnsafeRawBufferPointer, pts: UInt64?, lost: Bool, emit: (Frame, UnsafeRawBufferPointer) -> Void
    ) {
        if lost {
            skippedBytes &+= UInt64(partial.count)
            partial.removeAll(keepingCapacity: true)
            isLost = true
        }
        var offset = completePartial(from: bytes, emit: emit)
        var time = pts
        while offset < bytes.count {
            // Not a header, or not all of one: both end below, told apart by what is left.
            guard let header = try? ADTSHeader(bytes, at: offset), isFollowed(header, at: offset, in: bytes) else {
                if bytes.count - offset < ADTSHeader.size, couldBegin(bytes[offset...]) { break }
                let found = nextHeader(in: bytes, from: offset + 1)
                skippedBytes &+= UInt64(found - offset)
                resyncs &+= 1
                isLost = true
                offset = found
                continue
            }
            guard bytes.count - offset >= header.frameLength else { break }
            deliver(header, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + header.frameLength]), time, emit)
            offset += header.frameLength
            time = time.map { ($0 &+ header.duration) & 0x1_FFFF_FFFF }
        }
        guard offset < bytes.count else { return }
        partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        partialPTS = time
    }

    /// Forgets the frame begun: the stream was left.
    public mutating func reset() {
        partial.removeAll(keepingCapacity: true)
        isLost = false
    }

    /// - Returns: how much of `bytes` the frame in `partial` took.
    private mutating func completePartial(
        from bytes: UnsafeRawBufferPointer, emit: (Frame, UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard !partial.isEmpty else { return 0 }
        let before = partial.count
        var taken = min(bytes.count, max(0, ADTSHeader.size - before))
        partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        guard partial.count >= ADTSHeader.size else { return taken }
        // What looked like a beginning was none: search again behind it.
        guard let header = partial.withUnsafeBytes({ try? ADTSHeader($0) }) else {
            skippedBytes &+= UInt64(before)
            partial.removeAll(keepingCapacity: true)
            isLost = true
            return 0
        }
        let end = min(bytes.count, taken + header.frameLength - partial.count)
        partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[taken..<end]))
        taken = end
        guard partial.count == header.frameLength else { return taken }
        var whole: [UInt8] = []
        swap(&whole, &partial)
        whole.withUnsafeBytes { deliver(header, $0, partialPTS, emit) }
        whole.removeAll(keepingCapacity: true)
        swap(&whole, &partial)
        return taken
    }

    private mutating func deliver(
        _ header: ADTSHeader, _ bytes: UnsafeRawBufferPointer, _ pts: UInt64?,
        _ emit: (Frame, UnsafeRawBufferPointer) -> Void
    ) {
        emit(Frame(header: header, pts: pts, followsLoss: isLost), bytes)
        isLost = false
    }

    /// Whether what stands behind the frame, where it is here, begins another.
    private func isFollowed(_ header: ADTSHeader, at offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        let next = offset + header.frameLength
        return next >= bytes.count || couldBegin(bytes[next...])
    }

    private func couldBegin(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = bytes.first, first == 0xFF else { return false }
        return bytes.count < 2 || bytes[bytes.startIndex + 1] & 0xF6 == 0xF0
    }

    private func nextHeader(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        (start..<max(start, bytes.count)).first { offset in
            guard couldBegin(bytes[offset...]) else { return false }
            guard bytes.count - offset >= ADTSHeader.size else { return true }
            guard let header = try? ADTSHeader(bytes, at: offset) else { return false }  // the search goes on
            return isFollowed(header, at: offset, in: bytes)
        } ?? bytes.count
    }
}
