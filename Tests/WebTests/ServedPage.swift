// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTP
import Synchronization
import System
import TestSupport
import Web

/// A server whose owner is a thread that answers from a script.
final class ServedPage: Sendable {
    let port: UInt16
    let server: WebServer
    let reports = Mutex<[String]>([])
    private let semaphore: DispatchSemaphore
    private let isStopping = Mutex(false)
    private let thread: DedicatedThread

    private final class Cell: Sendable {
        let page = Mutex<ServedPage?>(nil)
    }

    /// - Parameter answer: nil: no answer.
    init(
        admit: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse? = { _, _ in nil },
        serve: @escaping @Sendable (WebServer, WebReport) -> Void
    ) throws {
        let listener = try LoopbackListener(port: 0)
        port = listener.port
        let semaphore = DispatchSemaphore(value: 0)
        self.semaphore = semaphore
        let server = try WebServer(listener, wake: { semaphore.signal() }, admit: admit)
        self.server = server
        let cell = Cell()
        thread = try DedicatedThread("owner") {
            while true {
                semaphore.wait()
                for report in server.takeReports() { serve(server, report) }
                if cell.page.withLock({ $0?.isStopping.withLock { $0 } ?? false }) { return }
            }
        }
        cell.page.withLock { $0 = self }
    }

    func stop() {
        server.stop()
        isStopping.withLock { $0 = true }
        semaphore.signal()
        thread.join()
    }
}
