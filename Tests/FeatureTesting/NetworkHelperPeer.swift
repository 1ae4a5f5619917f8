// SPDX-License-Identifier: Apache-2.0
import NetworkHelper
import NetworkPlan
import Synchronization
import System
import Time
import Venue

/// The network helper on a thread of this process: it writes into a directory of its own, and what it would have programs
/// of the system do is kept instead.
public final class NetworkHelperPeer: Sendable {
    private struct State {
        var actions: [SystemAction] = []
        /// The one that fails.
        var refused: SystemAction?
        var isStopping = false
    }

    public let path: String
    public let places: NetworkHelper.Places
    private let state = Mutex(State())
    private let wait: DescriptorWait
    private let thread: Mutex<DedicatedThread?> = Mutex(nil)

    /// The wires and radios that the box has then.
    @Sendable
    public static func devices() -> [NetworkDevice] {
        [("eth0", false), ("wlan0", true)].compactMap { name, isWireless in
            InterfaceName(name).map { NetworkDevice($0, isWireless: isWireless) }
        }
    }

    /// - Parameter directory: in which the socket and the files lie.
    public init(in directory: String) throws {
        path = directory + "/network.sock"
        var places = NetworkHelper.Places()
        places.networkd = directory + "/networkd"
        places.supplicant = directory + "/supplicant"
        self.places = places
        wait = try DescriptorWait()
        let listener = try UnixListener(listeningAt: path, group: "")
        let inbox = Inbox(listener)
        let thread = try DedicatedThread("helper") { [self] in
            while !state.withLock({ $0.isStopping }) { serve(inbox) }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Carries the listener to the thread, which alone uses it from then on.
    private final class Inbox: @unchecked Sendable {
        let listener: UnixListener
        init(_ listener: consuming UnixListener) { self.listener = listener }
    }

    private func serve(_ inbox: Inbox) {
        _ = wait.wait(for: [inbox.listener.rawValue], until: SystemClock.monotonic() + .seconds(1))
        let helper = NetworkHelper(places: places, devices: Self.devices) { [self] (action) throws(SystemCallError) in
            state.withLock { state in
                state.actions.append(action)
                return SystemProgram.Outcome(code: state.refused == action ? 1 : 0)
            }
        }
        do {
            guard let connection = try inbox.listener.accept() else { return }
            try HelperConnection.serve(connection.rawValue, by: helper, only: SystemUser.own)
        } catch {
            return  // the one who asks sees that there is no answer
        }
    }

    /// What was to be done since the last time.
    public func takeActions() -> [SystemAction] {
        state.withLock { state in
            defer { state.actions = [] }
            return state.actions
        }
    }

    /// Has an action fail from now on; nil: none.
    public func refuse(_ action: SystemAction?) { state.withLock { $0.refused = action } }

    /// What a file of networkd holds; nil if there is none.
    public func networkdFile(_ name: String) -> String? {
        (try? DurableFile.read("\(places.networkd)/\(name)")).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The names of all files, in order.
    public var fileNames: [String] {
        [places.networkd, places.supplicant].flatMap { (try? DurableFile.names(in: $0)) ?? [] }.sorted()
    }

    /// Has to be called once.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wait.wake()
        thread.withLock { $0?.join() }
    }
}
