// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// The clients of a server: who is let in, and what of the messages to each has not been taken by the kernel yet. One
/// that does not take them is closed, so that it holds up nobody and takes no more memory than its share.
struct ServedClients<State: Sendable>: Sendable {
    private struct Entry: Sendable {
        /// Nil while the client is being closed.
        var state: State?
        var pendingOctets = 0
    }

    private(set) var admission: CompanionAdmission
    /// Octets that may wait for one client. A single message may be longer.
    let mostPendingOctets: Int
    private var entries: [CompanionClient: Entry] = [:]
    var counters = CompanionServerCounters()

    init(_ admission: CompanionAdmission, mostPendingOctets: Int) {
        self.admission = admission
        self.mostPendingOctets = mostPendingOctets
    }

    /// Open ones and those that are being closed.
    var count: Int { entries.count }

    /// The open ones, in the order of their numbers.
    var open: [CompanionClient] { entries.filter { $0.value.state != nil }.keys.sorted() }

    /// Of the open ones, in no order.
    var states: [State] { entries.values.compactMap(\.state) }

    /// Nil for a client that is not open.
    subscript(client: CompanionClient) -> State? { entries[client]?.state }

    /// Changes the state of an open client.
    mutating func update(_ client: CompanionClient, to state: State) {
        if entries[client]?.state != nil { entries[client]?.state = state }
    }

    func pendingOctets(of client: CompanionClient) -> Int { entries[client]?.pendingOctets ?? 0 }

    mutating func admit(path: String) -> CompanionAdmission.Refusal? {
        let refusal = admission.refusal(path: path, clients: count)
        if let refusal { counters.count(refusal) }
        return refusal
    }

    /// - Returns: nil if the client is open now. It may be too late for that: others may have come since it was admitted.
    mutating func opened(_ client: CompanionClient, _ state: State) -> CompanionServerAction? {
        // A number that is used again is another client.
        entries[client] = nil
        if let refusal = admission.refusal(path: admission.path, clients: count) {
            counters.count(refusal)
            let status = refusal == .disabled ? CloseStatus.goingAway : CloseStatus.tryAgainLater
            return .close(client, status: status)
        }
        counters.clientsOpened += 1
        entries[client] = Entry(state: state)
        return nil
    }

    mutating func closed(_ client: CompanionClient) { entries[client] = nil }

    /// The kernel has taken so many octets.
    mutating func sent(_ client: CompanionClient, octets: Int) {
        guard let pending = entries[client]?.pendingOctets else { return }
        entries[client]?.pendingOctets = max(0, pending - max(0, octets))
    }

    /// - Returns: nil for a client that is not open.
    mutating func send(_ octets: [UInt8], to client: CompanionClient) -> CompanionServerAction? {
        guard let entry = entries[client], entry.state != nil else { return nil }
        let (pending, overflows) = entry.pendingOctets.addingReportingOverflow(octets.count)
        guard !overflows, entry.pendingOctets == 0 || pending <= mostPendingOctets else {
            counters.clientsSlow += 1
            return close(client, status: CloseStatus.policyViolation)
        }
        entries[client]?.pendingOctets = pending
        counters.messagesSent += 1
        return .send(client, octets)
    }

    /// - Returns: nil for a client that is not open.
    mutating func close(_ client: CompanionClient, status: UInt16) -> CompanionServerAction? {
        guard entries[client]?.state != nil else { return nil }
        entries[client]?.state = nil
        return .close(client, status: status)
    }

    /// Closes all clients when it is disabled.
    mutating func setEnabled(_ isEnabled: Bool) -> [CompanionServerAction] {
        admission.isEnabled = isEnabled
        return isEnabled ? [] : open.compactMap { close($0, status: CloseStatus.goingAway) }
    }
}
