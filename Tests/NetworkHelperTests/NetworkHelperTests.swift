// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import NetworkFiles
import NetworkPlan
import System
import TestSupport
import Testing
import Venue

@testable import NetworkHelper

/// The helper with a directory of its own; what it has programs of the system do is kept.
@Suite final class NetworkHelperTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-helper-\(UUID())").path
    private var actions: [SystemAction] = []
    private var refused: SystemAction?

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private static let eth0 = InterfaceName("eth0") ?? InterfaceName(ofVLAN: 1)
    private static let wlan0 = InterfaceName("wlan0") ?? InterfaceName(ofVLAN: 1)

    private var helper: NetworkHelper {
        var places = NetworkHelper.Places()
        places.networkd = directory + "/networkd"
        places.supplicant = directory + "/supplicant"
        return NetworkHelper(
            places: places,
            devices: {
                [NetworkDevice(Self.eth0, isWireless: false), NetworkDevice(Self.wlan0, isWireless: true)]
            }
        ) { [unowned self] (action) throws(SystemCallError) in
            actions.append(action)
            return SystemProgram.Outcome(code: refused == action ? 1 : 0)
        }
    }

    private func ask(_ request: JSONValue) throws -> JSONValue {
        actions = []
        return try JSONValue.parse(helper.answer(request.octets()))
    }

    private func apply(_ plan: JSONValue) throws -> JSONValue { try ask(["verb": "apply", "plan": plan]) }

    private func names() throws -> [String] {
        try ["networkd", "supplicant"].flatMap { try DurableFile.names(in: "\(directory)/\($0)") }.sorted()
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")[.posixPermissions] as? Int
    }

    @Test func aPlanIsAppliedAndTakenBack() throws {
        let answer = try apply(["wired": ["addresses": ["192.0.2.10/24"], "vlan": 20]])
        #expect(answer["isOk"] == true && answer["changed"]?.array?.count == 4)
        #expect(actions == [.reloadNetwork])
        #expect(try apply(["wired": ["addresses": ["192.0.2.10/24"], "vlan": 20]])["changed"] == [])
        #expect(actions == [], "what is so already interrupts nobody")
        _ = try apply(["wired": ["vlan": 21]])
        #expect(actions == [.reloadNetwork, .remove(vlan: InterfaceName(ofVLAN: 20))])
        _ = try apply([:])
        #expect(actions == [.reloadNetwork, .remove(vlan: InterfaceName(ofVLAN: 21))])
        #expect(try names() == [])
    }

    @Test func secretsAreForRootAlone() throws {
        let wifi = Supplicant(.wifi, on: Self.wlan0)
        _ = try apply(["wifi": ["ssid": "Venue", "key": "12345678"]])
        #expect(actions == [.stopOwn(Self.wlan0), .reloadNetwork, .restart(wifi)])
        #expect(try mode("supplicant/wifi-wlan0.conf") == 0o600 && mode("supplicant") == 0o700)
        #expect(try mode("networkd/60-touchline-wlan0.network") == 0o644)
        _ = try apply(["wifi": ["ssid": "Venue", "key": "87654321"]])
        #expect(actions == [.restart(wifi)])
        _ = try apply([:])
        #expect(actions == [.stop(wifi), .reloadNetwork, .startOwn(Self.wlan0)])
    }

    @Test func aCertificateThatIsAnotherStartsTheSupplicantAgain() throws {
        func plan(_ body: String) -> JSONValue {
            let certificate = "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
            return [
                "wired": [
                    "authentication": [
                        "method": "peap", "identity": "box", "password": "p", "caCertificate": .string(certificate),
                    ]
                ]
            ]
        }
        let wired = Supplicant(.wired, on: Self.eth0)
        _ = try apply(plan("AAAA"))
        #expect(actions == [.reloadNetwork, .restart(wired)])
        _ = try apply(plan("BBBB"))
        #expect(actions == [.restart(wired)])
    }

    /// A step that fails leaves the network that was before.
    @Test func aFailureRestoresWhatWas() throws {
        _ = try apply(["dns": ["192.0.2.53"]])
        let before = try DurableFile.read("\(directory)/networkd/60-touchline-eth0.network")
        refused = .reloadNetwork
        let answer = try apply(["dns": ["192.0.2.54"]])
        #expect(answer["isOk"] == false && answer["errorString"] == "/usr/bin/networkctl reload ended with 1")
        #expect(actions == [.reloadNetwork, .reloadNetwork])
        #expect(try DurableFile.read("\(directory)/networkd/60-touchline-eth0.network") == before)
    }

    @Test func whatIsNotItsOwnIsLeftAlone() throws {
        _ = try apply(["dns": ["192.0.2.53"]])
        for name in ["networkd/10-other.network", "networkd/60-touchline-x.conf", "supplicant/lock"] {
            try DurableFile.write([0x23], to: "\(directory)/\(name)")
        }
        _ = try apply([:])
        #expect(try names() == ["10-other.network", "60-touchline-x.conf", "lock"])
    }

    /// The helper believes nobody that a request was checked.
    @Test func requestsAreCheckedOnceMore() throws {
        func refusal(_ text: String) throws -> String {
            let answer = try JSONValue.parse(helper.answer(Array(text.utf8)))
            #expect(answer["isOk"] == false && actions.isEmpty)
            return answer["errorString"]?.string ?? ""
        }
        #expect(try refusal("") == "the request is no JSON: 1:1")
        #expect(try refusal("[]").contains("no verb") && refusal(#"{"verb":7}"#).contains("no verb"))
        #expect(try refusal(#"{"verb":"reboot"}"#) == "the verb is none of apply, status and scan")
        #expect(try refusal(#"{"verb":"status","path":"/etc/shadow"}"#) == "status has other members than it takes")
        #expect(try refusal(#"{"verb":"apply","plan":{},"file":"x"}"#) == "apply has other members than it takes")
        #expect(try refusal(#"{"verb":"apply","plan":[]}"#).contains("expected an object"))
        #expect(try refusal(#"{"verb":"apply","plan":{"command":"id"}}"#).contains("/command is no field"))
        #expect(try refusal(#"{"verb":"apply","plan":{"wired":{"interface":"../x"}}}"#).contains("/wired/interface"))
        #expect(try refusal(#"{"verb":"apply","plan":{"wired":{"interface":"eth7"}}}"#).contains("there is eth0"))
        #expect(try refusal(#"{"verb":"apply","plan":{"wifi":{"key":"12345678"}}}"#).contains("/wifi/ssid"))
        #expect(try refusal(String(repeating: " ", count: 262_145)).contains("at most 262144"))
        for text in [
            #"{"verb":"apply","plan":{"wifi":{"key":"topSecret\u0000"}}}"#,
            #"{"verb":"apply","plan":{"wifi":{"key":topSecret}}}"#,
        ] {
            let told = try refusal(text)
            #expect(!told.contains("topSecret"), "\(told)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func damagedRequestsNeverTrap() throws {
        let plan: JSONValue = [
            "wired": ["interface": "eth0", "addresses": ["192.0.2.10/24"], "gateways": ["192.0.2.1"], "vlan": 20],
            "wifi": ["ssid": "Venue", "key": "12345678", "country": "DE"], "ntp": ["ntp.venue.example"],
        ]
        let request = (["verb": "apply", "plan": plan] as JSONValue).octets()
        for count in 0..<request.count {
            #expect(throws: Status.self) { try HelperRequest(parsing: request[..<count]) }
        }
        for seed in 0..<UInt64(Mutation.count(usual: 500)) {
            var mutation = Mutation(seed: seed)
            guard let taken = try? HelperRequest(parsing: mutation.damage(request)) else { continue }
            #expect(try HelperRequest(parsing: taken.octets) == taken)
        }
    }

    @Test func statusTellsKnownNamesAlone() throws {
        _ = try apply(["wifi": ["ssid": "Venue", "key": "12345678"]])
        var places = NetworkHelper.Places()
        places.supplicant = directory + "/supplicant"
        places.networkd = directory + "/networkd"
        let helper = NetworkHelper(places: places, devices: { [] }) { (action) throws(SystemCallError) in
            let text =
                action == .askTime
                ? "ServerName=ntp.venue.example\nServerAddress=192.0.2.1\n"
                : "bssid=02:00:00:00:00:01\nssid=Venue\nkey_mgmt=WPA2-PSK\nwpa_state=COMPLETED\npassphrase=secret\n"
            return SystemProgram.Outcome(code: 0, output: Array(text.utf8))
        }
        let answer = try JSONValue.parse(helper.answer(HelperRequest.status.octets))
        #expect(answer["timeServer"] == "ntp.venue.example")
        #expect(
            answer["supplicants"] == [
                [
                    "interface": "wlan0", "kind": "wifi", "state": "COMPLETED", "ssid": "Venue",
                    "bssid": "02:00:00:00:00:01", "keyManagement": "WPA2-PSK",
                ]
            ])
    }

    /// No word that a command has is other than a letter, a digit or one of a few marks.
    @Test func commandsAreFixed() {
        let wifi = Supplicant(.wifi, on: Self.wlan0)
        let all: [SystemAction] = [
            .reloadNetwork, .remove(vlan: InterfaceName(ofVLAN: 20)), .restart(wifi), .stop(wifi),
            .startOwn(Self.wlan0),
            .stopOwn(Self.wlan0), .askTime, .ask(wifi),
        ]
        for action in all {
            #expect(
                ["/usr/bin/networkctl", "/usr/bin/systemctl", "/usr/bin/timedatectl", "/usr/sbin/wpa_cli"].contains(
                    action.words.program))
            #expect(
                action.text.utf8.allSatisfy { (0x20...0x7e).contains($0) && !Array("$`;&|<>\\\"'*?".utf8).contains($0) }
            )
        }
        #expect(SystemAction.restart(wifi).text == "/usr/bin/systemctl restart touchline-wifi@wlan0.service")
    }

    @Test func anotherUserIsNotAnswered() throws {
        let path = "\(directory)/socket"
        let listener = try UnixListener(listeningAt: path, group: "")
        let client = try UnixSocket.make(isBlocking: true)
        try UnixSocket.connect(client.rawValue, to: path)
        _ = try UnixSocket.send(client.rawValue, Array("{\"verb\":\"status\"}\n".utf8)[...])
        guard let accepted = try listener.accept() else {
            Issue.record("no connection")
            return
        }
        let socket = accepted.rawValue
        #expect {
            try HelperConnection.serve(socket, by: helper, only: SystemUser.own + 1)
        } throws: {
            "\($0)".contains("expected touchline alone")
        }
        #expect(throws: Status.self) { try HelperConnection.serve(socket, by: helper, only: nil) }
        try HelperConnection.serve(accepted.rawValue, by: helper, only: SystemUser.own)
        var answer = [UInt8](repeating: 0, count: 4_096)
        let count = try UnixSocket.receive(client.rawValue, into: &answer) ?? 0
        #expect(try JSONValue.parse(Array(answer[..<count]))["isOk"] == true)
    }
}
