// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Synchronisation
import System
import Time
import Venue

/// Servers of CSS-CII that are being read for a command.
/// - Thread: the control loop's only.
final class InformationReaders {
    /// Each has a thread.
    private static let most = 4

    private let loop: EventLoop
    private var readers: [Int: InformationReader] = [:]
    private var lastNumber = 0

    init(loop: EventLoop) { self.loop = loop }

    func read(_ url: WebSocketURL, listeningFor span: Nanoseconds, _ reply: Reply<InformationReport>) {
        guard readers.count < Self.most else {
            let text = "\(Self.most) servers are being read: expected a call after one of them"
            return reply(.failure(.failure(.failed, text)))
        }
        lastNumber += 1
        let number = lastNumber
        do throws(SystemCallError) {
            readers[number] = try InformationReader(url, listeningFor: span, loop: loop) { [weak self] result in
                self?.readers[number] = nil
                switch result {
                case .success(let reading): reply(.success(InformationReport(reading)))
                case .failure(let failure): reply(.failure(.failure(.failed, "\(url): \(failure)")))
                }
            }
        } catch {
            reply(.failure(.failure(.failed, "\(url): \(error)")))
        }
    }

    /// Those who wait are answered that their answer is lost.
    func stop() {
        for reader in readers.values { reader.stop() }
        readers = [:]
    }
}
