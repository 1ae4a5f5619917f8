// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System

/// Fetches and sends documents by HTTP, all on one thread of its own: without redirections, without a proxy, without cookies. No call
/// waits for a server.
public final class TransferClient: Sendable {
    /// Limit on transfers at a time.
    public static let mostTransfers = 32

    /// Identifies one transfer of a client; it is never reused.
    public struct Transfer: Hashable, Sendable {
        let number: UInt64
    }

    /// How a transfer ended.
    public struct Report: Sendable {
        public let transfer: Transfer
        public let result: Result<TransferResponse, TransferFailure>
    }

    private let exchange: TransferExchange
    private let thread: DedicatedThread
    private let lastNumber = Atomic<UInt64>(0)

    /// - Parameter wake: tells the owner that there are reports; called on the client's thread.
    public init(wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let exchange = TransferExchange(wake: wake)
        let start = Start(TransferService(exchange))
        self.exchange = exchange
        do throws(SystemCallError) {
            thread = try DedicatedThread("transfer") { start.service.run() }
        } catch {
            start.service.end()
            throw error
        }
    }

    /// Hands the service to its thread, which alone uses it from then on.
    private final class Start: @unchecked Sendable {
        let service: TransferService
        init(_ service: TransferService) { self.service = service }
    }

    /// Begins a transfer, of which one report will come.
    public func begin(_ request: TransferRequest) -> Transfer {
        let transfer = Transfer(number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)
        exchange.post(.begin(transfer, request))
        return transfer
    }

    /// The reports since the last call, in order.
    public func takeReports() -> [Report] { exchange.takeReports() }

    /// Gives up all transfers, unreported; returns when the thread has ended, which waits for nothing.
    public func stop() {
        exchange.post(.stop)
        thread.join()
    }
}
