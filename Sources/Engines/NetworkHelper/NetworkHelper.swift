// SPDX-License-Identifier: Apache-2.0
import JSON
import NetworkFiles
import NetworkPlan
import System
import Venue

/// The part of the product that may change the network of the box, and does nothing else. It runs as root, for one request
/// of the service at a time, and never takes a path or a command from it: the request is a plan, of which the helper
/// makes the files itself.
public struct NetworkHelper {
    /// Where the files of each reader lie.
    public struct Places: Sendable {
        public var networkd = "/run/systemd/network"
        public var supplicant = "/run/touchline-network"

        public init() {}

        func directory(of reader: NetworkFile.Reader) -> String {
            switch reader {
            case .networkd: networkd
            case .supplicant: supplicant
            }
        }
    }

    private let places: Places
    private let devices: () -> [NetworkDevice]
    private let perform: (SystemAction) throws(SystemCallError) -> SystemProgram.Outcome

    /// - Parameters:
    ///   - devices: gives the wires and radios of the box.
    ///   - perform: has a program of the system do it, and waits.
    public init(
        places: Places = Places(), devices: @escaping () -> [NetworkDevice] = NetworkHelper.ofThisMachine,
        perform: @escaping (SystemAction) throws(SystemCallError) -> SystemProgram.Outcome = NetworkHelper.run
    ) {
        self.places = places
        self.devices = devices
        self.perform = perform
    }

    /// The wires and radios of the machine.
    @Sendable
    public static func ofThisMachine() -> [NetworkDevice] {
        NetworkInterface.all().filter(\.isHardware).compactMap { interface in
            InterfaceName(interface.name).map { NetworkDevice($0, isWireless: interface.isWireless) }
        }
    }

    @Sendable
    public static func run(_ action: SystemAction) throws(SystemCallError) -> SystemProgram.Outcome {
        let (program, arguments) = action.words
        return try SystemProgram.run(program, arguments, within: action.patience)
    }

    /// Answers a request, with one line without its end.
    public func answer(_ line: some Sequence<UInt8>) -> [UInt8] {
        do throws(Status) {
            switch try HelperRequest(parsing: line) {
            case .apply(let plan):
                let changed = try apply(plan)
                return reply(.ok, ["changed": .array(changed.map { .string($0) })])
            case .status: return reply(.ok, status)
            case .scan(let radio):
                try scan(radio)
                return reply(.ok, [:])
            }
        } catch {
            return reply(error, [:])
        }
    }

    private func reply(_ status: Status, _ more: JSONValue) -> [UInt8] { status.json.merging(patch: more).octets() }

    // MARK: Applying

    /// - Returns: the places of the files that are others now.
    private func apply(_ plan: NetworkPlan) throws(Status) -> [String] {
        let wanted: NetworkFiles
        do throws(NetworkFilesError) {
            wanted = try NetworkFiles(plan, devices: devices())
        } catch {
            throw .failure(.configuration, "\(error)")
        }
        // Root looks once more at what it writes, as the text that other programs of root will read.
        if let file = wanted.files.first(where: { !FileRule.holds(for: $0) }) {
            throw .failure(.configuration, "\(file.place) would have a line that no setting of the network makes")
        }
        let old = try files()
        let change = NetworkChange(from: old, to: wanted.files)
        do throws(Status) {
            try carryOut(change)
        } catch {
            // What was before was accepted by the same programs. If it is refused as well, there is no third.
            try? carryOut(NetworkChange(from: (try? files()) ?? wanted.files, to: old))
            throw error
        }
        return (change.written + change.removed).map(\.place).sorted()
    }

    private func carryOut(_ change: NetworkChange) throws(Status) {
        do throws(SystemCallError) {
            for reader in NetworkFile.Reader.allCases {
                try DurableFile.makeDirectory(
                    places.directory(of: reader), mode: reader == .networkd ? 0o755 : 0o700)
            }
            for file in change.removed { DurableFile.remove(path(of: file)) }
            for file in change.written {
                try DurableFile.write(
                    Array(file.text.utf8), to: path(of: file), mode: file.reader == .networkd ? 0o644 : 0o600)
            }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        for action in change.actions {
            let outcome = Result { () throws(SystemCallError) in try perform(action) }
            guard action.isNeeded else { continue }
            switch outcome {
            case .success(let outcome) where outcome.code == 0: continue
            case .success(let outcome): throw .failure(.failed, "\(action.text) ended with \(outcome.code)")
            case .failure(let error): throw .failure(.failed, "\(error)")
            }
        }
    }

    /// The files that an earlier request has left.
    private func files() throws(Status) -> [NetworkFile] {
        do throws(SystemCallError) {
            var found: [NetworkFile] = []
            for reader in NetworkFile.Reader.allCases {
                let directory = places.directory(of: reader)
                for name in try DurableFile.names(in: directory).sorted() where isOwn(name, reader) {
                    guard let octets = try DurableFile.read("\(directory)/\(name)") else { continue }
                    found.append(
                        NetworkFile(reader: reader, name: name, text: String(decoding: octets, as: UTF8.self)))
                }
            }
            return found
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    private func isOwn(_ name: String, _ reader: NetworkFile.Reader) -> Bool {
        switch reader {
        case .networkd:
            name.hasPrefix(NetworkFile.networkdPrefix) && (name.hasSuffix(".network") || name.hasSuffix(".netdev"))
        case .supplicant: name.hasSuffix(".conf") || name.hasSuffix(".pem")
        }
    }

    private func path(of file: NetworkFile) -> String { "\(places.directory(of: file.reader))/\(file.name)" }

    // MARK: Status

    /// Nothing in it is a secret: of what the programs say only known names are passed on.
    private var status: JSONValue {
        var supplicants: [JSONValue] = []
        for file in (try? files()) ?? [] where file.reader == .supplicant {
            guard let supplicant = Supplicant(fileName: file.name) else { continue }
            var row: JSONValue = [
                "interface": .string(supplicant.interface.description), "kind": .string(supplicant.kind.rawValue),
            ]
            let said = ask(.ask(supplicant))
            for (name, member) in Self.supplicantLines { row[member] = said[name].map { .string($0) } }
            supplicants.append(row)
        }
        let time = ask(.askTime)
        return [
            "supplicants": .array(supplicants),
            "timeServer": (time["ServerName"] ?? time["ServerAddress"]).map { JSONValue.string($0) } ?? .null,
        ]
    }

    /// Has the supplicant of this radio scan; its answer says whether it has begun.
    private func scan(_ radio: InterfaceName) throws(Status) {
        let supplicants = try files().compactMap { file in
            file.reader == .supplicant ? Supplicant(fileName: file.name) : nil
        }
        guard let own = supplicants.first(where: { $0.interface == radio && $0.kind == .wifi }) else {
            throw .failure(.failed, "no network of the settings is on \(radio); expected one, whose supplicant scans")
        }
        let outcome = Result { () throws(SystemCallError) in try perform(.scan(own)) }
        let said = (try? outcome.get()).map { String(decoding: $0.output.prefix(64), as: UTF8.self) } ?? ""
        // It says OK, FAIL, or FAIL-BUSY while a scan is under way, whose results are as fresh.
        guard said.hasPrefix("OK") || said.hasPrefix("FAIL-BUSY") else {
            throw .failure(.failed, "the supplicant of \(radio) does not scan")
        }
    }

    /// Lines of wpa_cli's status, and what they are called in the answer.
    private static let supplicantLines = [
        ("wpa_state", "state"), ("ssid", "ssid"), ("bssid", "bssid"), ("key_mgmt", "keyManagement"),
        ("suppPortStatus", "port"), ("EAP state", "eap"),
    ]

    private func ask(_ action: SystemAction) -> KeyValueText {
        // A program that is not there, or does not answer, says nothing.
        guard let outcome = try? perform(action), outcome.code == 0 else { return KeyValueText([]) }
        return KeyValueText(outcome.output)
    }
}
