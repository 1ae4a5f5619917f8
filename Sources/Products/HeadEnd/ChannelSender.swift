// SPDX-License-Identifier: Apache-2.0
import Buffers
import Casting
import Network
import System
import Time

/// One channel on its way out: makes its slots a little ahead and sends each datagram when it is due.
final class ChannelSender: Sendable {
    /// How far the thread sleeps past a time that is nearly there instead of sleeping once more.
    private static let nearlyDue = Nanoseconds.microseconds(100)
    /// Behind by more than this (a stopped process, a slow encoder): the past is not sent in a burst.
    private static let farBehind = Nanoseconds.milliseconds(500)

    private let channel: HeadEndConfiguration.CastChannel
    private let socket: DatagramSocket
    private let stopping = StopFlag()
    private let wakeup = Wakeup()
    private let thread = LatestValue<DedicatedThread?>(nil)
    private let failed = LatestValue<String?>(nil)

    /// Why the channel ended by itself.
    var failure: String? { failed.value }

    /// The numeric address that it sends from.
    var ownAddress: String? { socket.ownAddress }

    init(_ channel: HeadEndConfiguration.CastChannel, of configuration: HeadEndConfiguration) throws {
        self.channel = channel
        let transport = channel.announcement.transport
        socket = try DatagramSocket(
            sendingTo: transport.address, port: transport.port, interface: configuration.interface ?? "",
            hops: Int(configuration.hops))
        // What cannot be made is found now, not on the thread.
        _ = try ChannelCaster(channel, identity: try Self.identity())
    }

    /// - Parameter ended: called on the thread when the channel ends by itself.
    func start(ended: @escaping @Sendable () -> Void) throws(SystemCallError) {
        thread.set(
            try DedicatedThread("cast") { [self] in
                do {
                    try cast()
                } catch {
                    failed.set("channel \(channel.announcement.name): \(error)")
                    ended()
                }
            })
    }

    func stop() {
        stopping.raise()
        wakeup.signal()
        thread.value?.join()
        thread.set(nil)
    }

    private func cast() throws {
        let caster = try ChannelCaster(channel, identity: try Self.identity())
        var start = SystemClock.monotonic()
        while !stopping.isRaised {
            let late = SystemClock.monotonic() - (start + caster.nextSlotStart)
            if late > Self.farBehind { start += late }
            var sendError: SystemCallError?
            try caster.nextSlot(clock: SystemClock.wall().clockText) { datagram, due in
                sleep(until: start + due)
                do throws(SystemCallError) {
                    try socket.send(datagram)
                } catch {
                    sendError = error
                }
            }
            // A link that is down for a while is no reason to end the channel.
            if let sendError, sendError.code != .networkUnreachable, sendError.code != .networkDown,
                sendError.code != .noBuffers
            {
                throw sendError
            }
        }
    }

    private func sleep(until due: Monotonic) {
        while !stopping.isRaised, due - SystemClock.monotonic() > Self.nearlyDue { wakeup.wait(until: due) }
    }

    private static func identity() throws(SystemCallError) -> ChannelCaster.Identity {
        ChannelCaster.Identity(
            ssrc: try SystemRandom.integer(), sequence: try SystemRandom.integer(),
            timestamp: try SystemRandom.integer())
    }
}

extension WallTime {
    /// `12:34:56 UTC`, for the test card.
    fileprivate var clockText: String { description.dropFirst(11).prefix(8) + " UTC" }
}
