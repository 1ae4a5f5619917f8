// SPDX-License-Identifier: Apache-2.0
import System
import Time
import Venue

/// Where the client leaves files for a USB stick: a unit of the image, which may mount one, copies each and removes it.
struct StickOutbox {
    var directory = "/run/touchline-usb"
    /// The unit gives a stick up after a minute, and may have to wait for another one.
    var patience = Nanoseconds.seconds(80)

    private static let pause = Nanoseconds.milliseconds(200)
    private static let good = "ok "

    /// Waits until the file is on a stick.
    /// - Parameter name: without a slash.
    /// - Returns: what came of it, for the person who waits.
    func send(_ octets: [UInt8], named name: String) throws -> String {
        let (file, results) = ("\(directory)/out/\(name)", "\(directory)/results/\(name)")
        do throws(SystemCallError) {
            try DurableFile.write(octets, to: file)
        } catch {
            guard error.code == .notFound else { throw error }
            throw Status.failure(.failed, "there is no \(directory)/out: only a box of the image writes to USB sticks")
        }
        let deadline = SystemClock.monotonic() + patience
        while try DurableFile.octets(of: file) != nil {
            guard SystemClock.monotonic() < deadline else {
                DurableFile.remove(file)
                throw Status.failure(.failed, "nothing came of \(name) in \(patience.seconds) s; see touchline log")
            }
            SystemClock.sleep(until: SystemClock.monotonic() + Self.pause)
        }
        let told = String(decoding: try DurableFile.read(results, limit: 1_024) ?? [], as: UTF8.self)
        let result = told.split(separator: "\n").first ?? "failed nothing is told of it"
        guard result.hasPrefix(Self.good) else {
            throw Status.failure(.failed, String(result.drop { $0 != " " }.dropFirst()))
        }
        return String(result.dropFirst(Self.good.count))
    }
}
