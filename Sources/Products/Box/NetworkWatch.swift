// SPDX-License-Identifier: Apache-2.0
import Journal
import Network
import System

/// The kernel's word on interfaces, on the control plane's loop. A box that is not let near it (a sandbox without
/// netlink) plays on, and joins nothing anew for a link's sake.
final class NetworkWatch {
    let log: Log
    private let loop: EventLoop
    private var interfaces: InterfaceWatch?
    private var watch: EventLoop.Watch?

    init(loop: EventLoop, log: Log) {
        self.loop = loop
        self.log = log
    }

    /// Nil: nobody tells.
    var links: LinkState? {
        guard let links = interfaces?.links, !links.isEmpty else { return nil }
        return links
    }

    /// - Parameter handler: told of each change, after `links` has it.
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
