// SPDX-License-Identifier: Apache-2.0
import Journal
import Network
import System

/// Follows the kernel's interfaces by rtnetlink, on the control loop. Without rtnetlink, as in some sandboxes,
/// the box plays on and joins no group again when a link changes.
final class InterfaceFollower {
    private let log: Log
    private let loop: EventLoop
    private var interfaces: InterfaceWatch?
    private var watch: EventLoop.Watch?

    init(loop: EventLoop, log: Log) {
        self.loop = loop
        self.log = log
    }

    /// nil when rtnetlink is unavailable.
    var links: LinkState? {
        guard let links = interfaces?.links, !links.isEmpty else { return nil }
        return links
    }

    /// - Parameter handler: called with the changes after `links` was updated.
    func start(_ handler: @escaping ([LinkChange]) -> Void) {
        do throws(SystemCallError) {
            let interfaces = try InterfaceWatch()
            self.interfaces = interfaces
            watch = try loop.watch(interfaces.rawValue, for: .readable) { [unowned self] _ in
                do throws(SystemCallError) {
                    let changes = try interfaces.read()
                    if !changes.isEmpty { handler(changes) }
                } catch {
                    end(error)
                }
            }
        } catch {
            end(error)
        }
    }

    func stop() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        interfaces = nil
    }

    private func end(_ error: SystemCallError) {
        log(.error, "interfaces are not watched", ["error": error])
        stop()
    }
}
