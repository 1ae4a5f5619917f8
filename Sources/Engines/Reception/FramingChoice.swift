// SPDX-License-Identifier: Apache-2.0
import RTP
import TransportStream

/// Whether a transport stream comes in RTP or in bare datagrams, where nobody has said it.
///
/// The first datagram that is either decides. A sender that was replaced may send the other form: when `patience`
/// datagrams in a row hold packets in that form, it is taken from then on.
struct FramingChoice {
    enum Form { case rtp, bare }

    /// nil until a datagram with packets has come.
    private(set) var form: Form?
    private var contrary = 0
    /// What the last datagram of cut packets had as header, if it is RTP.
    private var header: (ssrc: UInt32, sequence: UInt16)?

    /// Number of datagrams of the other form in a row that change the choice.
    static let patience = 16

    /// - Returns: whether `form` changed.
    mutating func look(at datagram: UnsafeRawBufferPointer) -> Bool {
        // RTP's first two bits are 10, those of a packet's sync byte 01. Only what does not look as before is read, and
        // what follows that: of packets that are cut, a quarter of the datagrams begin as RTP does.
        let looksAsBefore = form == .rtp ? (datagram.first ?? 0) >> 6 == 2 : datagram.first == TSPacket.syncByte
        guard form == nil || !looksAsBefore || contrary > 0 else { return false }
        guard let seen = seenForm(of: datagram) else { return false }
        contrary = seen == form ? 0 : contrary + 1
        guard contrary > 0 else { return false }
        guard form == nil || contrary >= FramingChoice.patience else { return false }
        form = seen
        contrary = 0
        return true
    }

    /// nil if there are no packets in the datagram, or if the next one has to tell.
    private mutating func seenForm(of datagram: UnsafeRawBufferPointer) -> Form? {
        // An error says that this is no RTP, which is the question.
        if let header = try? RTPHeader(datagram) {
            let payload = UnsafeRawBufferPointer(rebasing: datagram[header.payload])
            if TSFramer.holdsPackets(payload) { return .rtp }
            if TSFramer.holdsCutPackets(payload) { return cutForm(header) }
        }
        return TSFramer.holdsPackets(datagram) || TSFramer.holdsCutPackets(datagram) ? .bare : nil
    }

    /// The end of a packet may look like a header by chance, but not twice in a row like those of one sender, between
    /// which some may be lost.
    private mutating func cutForm(_ new: RTPHeader) -> Form? {
        let before = header
        header = (new.ssrc, new.sequence)
        guard let before else { return nil }
        return before.ssrc == new.ssrc && (1...64).contains(new.sequence &- before.sequence) ? .rtp : .bare
    }
}
