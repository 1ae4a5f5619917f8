// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// Spares hosts that are away a connection for each request: after a failure the next attempt waits, at first a little, then
/// longer. Until then the failure is the answer.
struct ClusterGate {
    static let first = Nanoseconds.milliseconds(100)
    static let longest = Nanoseconds.seconds(1)

    private var pause = Self.first
    private var opens = Monotonic(nanoseconds: .min)
    private var failure: StoreError?

    init() {}

    /// Why nothing is tried now; nil if it may be.
    func refusal(at now: Monotonic) -> StoreError? { now < opens ? failure : nil }

    mutating func failed(_ error: StoreError, at now: Monotonic) {
        failure = error
        opens = now + pause
        pause = min(Self.longest, pause * 2)
    }

    mutating func succeeded() { self = Self() }
}
