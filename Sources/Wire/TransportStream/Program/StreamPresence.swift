// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Which streams that a program map lists are there. Some maps list sound tracks that come and go, or PIDs that nothing
/// ever comes on.
///
/// It has no clock but the time stamps: a stream is absent when those of another of its kind have gone on for a while
/// since it last began a PES packet.
struct StreamPresence: Sendable {
    /// PIDs of streams that are listed and not there.
    private(set) var absent: Set<UInt16> = []
    /// Whether a PES packet has begun on any PID of the program.
    private(set) var hasMedia = false

    fileprivate struct Entry: Sendable {
        let pid: UInt16
        let isVideo: Bool
        /// Whether a PES packet has ever begun.
        var isSeen = false
        var lastPTS: UInt64?
        /// By how much the time stamps have gone on, in ticks of 90 kHz: since the stream that is played began its last PES
        /// packet; of an absent stream, since it is absent.
        var span: UInt64 = 0
    }

    private var entries: [Entry] = []
    /// By how much the sound's time stamps have gone on while pictures never came.
    private var soundAlone: UInt64 = 0

    /// For how long another stream of its kind goes on, in ticks of 90 kHz, until pictures or sound that never began are
    /// absent, until a stream that did is, and for how long an absent one goes on until it is back. PES packets of sound
    /// may begin 0.7 s apart (ISO/IEC 13818-1 2.7.4).
    static let proof: (noPictures: UInt64, noSound: UInt64, stopped: UInt64, back: UInt64) = (
        36_000, 90_000, 225_000, 45_000
    )
    /// For how long sound goes on until pictures that never came are absent. The first one brings them back.
    static let soundWithoutPictures: UInt64 = 270_000

    /// Follows another map of the same program: what is known of a PID stays.
    mutating func follow(_ program: Program) {
        entries = program.media.map { stream in
            entries.first { $0.pid == stream.pid && $0.isVideo == stream.codec.isVideo }
                ?? Entry(pid: stream.pid, isVideo: stream.codec.isVideo)
        }
        absent.formIntersection(entries.map(\.pid))
    }

    /// - Parameter packet: one in which a PES packet may begin.
    /// - Returns: whether `absent` changed.
    mutating func look(at packet: TSPacket, in bytes: UnsafeRawBufferPointer, of program: Program) -> Bool {
        guard packet.hasPayload, let place = entries.firstIndex(where: { $0.pid == packet.pid }) else { return false }
        // Without a header here there is no time stamp.
        let pts = (try? PESHeader(bytes, in: packet.payload))?.pts
        let step = entries[place].advance(to: pts)
        hasMedia = true
        let entry = entries[place]
        if absent.contains(entry.pid) {
            let isAlone = entry.isVideo && program.video == nil
            guard isAlone || entry.span >= StreamPresence.proof.back else { return false }
            absent.remove(entry.pid)
            return true
        }
        let played = entry.isVideo ? program.video : program.audio
        guard entry.pid == played?.pid else { return judge(played, beside: entry) }
        for index in entries.indices where entries[index].isVideo == entry.isVideo {
            if !absent.contains(entries[index].pid) { entries[index].span = 0 }
        }
        return !entry.isVideo && judgePictures(of: program, step: step)
    }

    /// - Returns: whether the stream that is played is absent, since `other` has gone on for so long.
    private mutating func judge(_ played: ElementaryStream?, beside other: Entry) -> Bool {
        guard let played, let place = entries.firstIndex(where: { $0.pid == played.pid }) else { return false }
        let never = other.isVideo ? StreamPresence.proof.noPictures : StreamPresence.proof.noSound
        let proof = entries[place].isSeen ? StreamPresence.proof.stopped : never
        guard other.span >= proof else { return false }
        for index in entries.indices where entries[index].isVideo == other.isVideo && entries[index].span == 0 {
            absent.insert(entries[index].pid)
        }
        return true
    }

    private mutating func judgePictures(of program: Program, step: UInt64) -> Bool {
        guard program.video != nil, !entries.contains(where: { $0.isVideo && $0.isSeen }) else { return false }
        soundAlone += step
        guard soundAlone >= StreamPresence.soundWithoutPictures else { return false }
        absent.formUnion(entries.filter(\.isVideo).map(\.pid))
        return true
    }
}

extension StreamPresence.Entry {
    /// - Returns: by how much the time stamps went on. A jump counts nothing.
    fileprivate mutating func advance(to pts: UInt64?) -> UInt64 {
        isSeen = true
        guard let pts else { return 0 }
        defer { lastPTS = pts }
        guard let before = lastPTS else { return 0 }
        let step = (pts &- before) & 0x1_FFFF_FFFF
        guard step < 180_000 else { return 0 }
        span += step
        return step
    }
}
