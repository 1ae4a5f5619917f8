// SPDX-License-Identifier: Apache-2.0
import Certificates
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Shapes
import System
import Testing
import Time
import Venue
import Web

@testable import Endpoint

/// Where HTTP is served, given to the feature alone: what it plans, and what it refuses.
@Suite final class EndpointTests {
    private static let theirs = Result {
        try ServerCertificate.selfSigned(name: "theirs", hosts: (["box.example"], []))
    }
    private static let other = Result { try ServerCertificate.selfSigned(name: "other", hosts: ([], [])) }

    private var events: [(name: String, payload: JSONValue)] = []
    private var plans: [EndpointPlan] = []
    /// Why the server refuses the next plans; nil if it takes them.
    private var fault: Status?
    private var isClockSet = true
    private var now = WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(nanoseconds: 0)
    private var addresses: [String: [String]] = [:]
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-http-\(UUID())").path
    private var context: FeatureContext?
    /// The settings' store calls the features of each until the end of the test.
    private var hosts: [FeatureHost] = []

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func makeHost(_ settings: JSONValue = [:]) throws -> FeatureHost {
        var context = try FeatureContext.testing(of: Endpoint.self, settings: ["http": settings]) { [unowned self] in
            events.append(($0, $1))
        }
        var sources = Endpoint.Sources(directory: directory, boxID: "0-1-2") { [unowned self] in isClockSet }
        sources.now = { [unowned self] in now }
        sources.addresses = { [unowned self] in addresses[$0] ?? [] }
        context.provide(sources)
        self.context = context
        let host = try FeatureHost([Endpoint.self], context)
        host[Endpoint.self].setUp = { [unowned self] plan, end in
            plans.append(plan)
            end(fault)
        }
        host[Endpoint.self].ports = { [unowned host] in
            host[Endpoint.self].plan.places.map { $0.port == 0 ? 7 : $0.port }
        }
        hosts.append(host)
        host.start()
        return host
    }

    /// nil if the change was made, else why it was not.
    private func change(_ patch: JSONValue) throws -> String? {
        var answer: Result<SettingsOutcome, SettingsFailure>?
        try #require(context).settings.change(.merge(["http": patch]), from: .localSocket) { answer = $0 }
        switch try #require(answer) {
        case .success: return nil
        case .failure(let failure): return "\(failure)"
        }
    }

    @Test func byDefaultThisMachineAlone() throws {
        let host = try makeHost()
        #expect(host[Endpoint.self].plan.places == [.loopback(port: 8_080, isSecure: false)])
        #expect(host[Endpoint.self].plainPort == 8_080 && host[Endpoint.self].securePort == nil)
        #expect(!host[Endpoint.self].isReachable)
        #expect(events.map(\.name) == ["service.certificateMade"])
        let again = try makeHost()
        #expect(again[Endpoint.self].fingerprint == host[Endpoint.self].fingerprint && events.count == 1)
    }

    @Test func beyondThisMachineByTLSAlone() throws {
        let host = try makeHost()
        let refused = try #require(try change(["listen": ["192.0.2.7"]]))
        #expect(refused.contains("/http/tls") && refused.contains("expected true"))
        #expect(plans.isEmpty)
        #expect(try change(["listen": ["192.0.2.7"], "tls": true]) == nil)
        #expect(
            plans.last?.places == [
                .loopback(port: 8_080, isSecure: false),
                WebPlace(["127.0.0.1", "::1", "192.0.2.7"], port: 8_443, isSecure: true),
            ])
        #expect(host[Endpoint.self].securePort == 8_443 && host[Endpoint.self].isReachable)
        #expect(try change(["listen": ["0.0.0.0", "192.0.2.7", "::"]]) == nil)
        #expect(plans.last?.places.last?.addresses == ["0.0.0.0", "::"])
        #expect(try change(["tls": false])?.contains("/http/tls") == true)
        #expect(try change(["tlsPort": 8_080])?.contains("/http/tlsPort is 8080") == true)
        #expect(try change(["isEnabled": false]) == nil)
        #expect(plans.last?.places.isEmpty == true && !host[Endpoint.self].isReachable)
        #expect(try change(["isEnabled": true, "listen": ["127.0.0.2"]]) == nil)
        #expect(host[Endpoint.self].securePort == 8_443 && !host[Endpoint.self].isReachable)
    }

    /// An interface stands for the addresses that it has, and has others later.
    @Test func interfacesAreFollowed() throws {
        addresses["lo"] = ["192.0.2.1"]
        let host = try makeHost(["tls": true])
        #expect(try change(["listen": ["no-such-card"]])?.contains("/http/listen/0") == true)
        #expect(try change(["listen": ["lo"]]) == nil)
        #expect(plans.last?.places.last?.addresses == ["127.0.0.1", "::1", "192.0.2.1"])
        let count = plans.count
        host.tick(at: Monotonic(nanoseconds: 1))
        #expect(plans.count == count)
        addresses["lo"] = ["192.0.2.2"]
        host.tick(at: Monotonic(nanoseconds: 2))
        #expect(plans.last?.places.last?.addresses == ["127.0.0.1", "::1", "192.0.2.2"])
    }

    /// What the server cannot have is refused with all of the change, and asked for again if it was there at the start.
    @Test func whatCannotBeHadIsNotTaken() throws {
        let host = try makeHost()
        fault = .failure(.failed, "bind 127.0.0.1 port 80: permission denied")
        #expect(try change(["port": 80])?.contains("permission denied") == true)
        #expect(host[Endpoint.self].plainPort == 8_080)
        var less = host[Endpoint.self].plan
        less.places = []
        host[Endpoint.self].made(less, "in use")
        let count = plans.count
        for second in 0..<25 { host.tick(at: Monotonic(nanoseconds: 0) + .seconds(Int64(second))) }
        #expect(plans.count == count + 3, "once in 10 s")
        fault = nil
        host.tick(at: Monotonic(nanoseconds: 0) + .seconds(40))
        #expect(host[Endpoint.self].plainPort == 8_080)
    }

    // MARK: Certificates

    @Test func theirCertificateIsChecked() throws {
        let host = try makeHost()
        let (theirs, other) = (try Self.theirs.get(), try Self.other.get())
        let own = host[Endpoint.self].fingerprint
        let certificate = JSONValue.string(theirs.certificate)
        #expect(try change(["certificate": certificate])?.contains("/http/key: expected PEM") == true)
        #expect(
            try change(["certificate": certificate, "key": .string(other.key)])?
                .contains("/http/key: expected the private key of the first certificate") == true)
        #expect(
            try change(["certificate": "hello", "key": .string(theirs.key)])?
                .contains("/http/certificate: expected PEM with a line -----BEGIN CERTIFICATE-----") == true)
        #expect(plans.isEmpty && host[Endpoint.self].fingerprint == own)
        #expect(try change(["certificate": certificate, "key": .string(theirs.key)]) == nil)
        #expect(host[Endpoint.self].fingerprint == theirs.fingerprint)
        #expect(plans.last?.identity == WebIdentity(certificate: theirs.certificate, key: theirs.key))
        let shown = try #require(context).settings.shown.at("/http/key")
        #expect(shown == ValueKind.mask)
    }

    /// Made for this test, valid on one day of November 2020.
    private static let expired = Result { try ServerCertificate(certificate: expiredText, key: expiredText) }
    private static let expiredText = """
        -----BEGIN CERTIFICATE-----
        MIIBEDCBt6ADAgECAgEHMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMB2V4cGlyZWQw
        HhcNMjAxMTAxMDAwMDAwWhcNMjAxMTAyMDAwMDAwWjASMRAwDgYDVQQDDAdleHBp
        cmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEUxqbr8y5PguoeRAuTRRmQcyd
        RxReyLMJ81vzPLcExbXBZED6oIH/rTLEbpsC7TJA7fCv3+IGSQjevOgp74Pu6TAK
        BggqhkjOPQQDAgNIADBFAiAl27CygdYE11o4Jh9fvH2OleU8KeKl0gAIEVUgrwvh
        0gIhAIM7yxoP2Iceb668LmJROEIJWRb1wuWtMnTdqsjTuGpK
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1DdojK3VyW5ll+zs
        abSuARH7AK1H7/ZTd6svY84FGlahRANCAARTGpuvzLk+C6h5EC5NFGZBzJ1HFF7I
        swnzW/M8twTFtcFkQPqggf+tMsRumwLtMkDt8K/f4gZJCN686Cnvg+7p
        -----END PRIVATE KEY-----
        """

    @Test func anExpiredOneIsRefusedWhileTheClockIsKnown() throws {
        let host = try makeHost()
        let expired = try Self.expired.get()
        let patch: JSONValue = ["certificate": .string(expired.certificate), "key": .string(expired.key)]
        #expect(try change(patch)?.contains("/http/certificate is valid until \(expired.validUntil)") == true)
        isClockSet = false
        #expect(try change(patch) == nil, "in 1970 nobody knows")
        host.tick(at: Monotonic(nanoseconds: 1))
        #expect(!events.contains { $0.name == "service.certificateExpired" })
        isClockSet = true
        for second in 0..<3 as Range<Int64> { host.tick(at: Monotonic(nanoseconds: 2) + .seconds(second)) }
        #expect(events.filter { $0.name == "service.certificateExpired" }.count == 1, "told once")
    }

    @Test func oneOfTheFutureIsRefused() throws {
        _ = try makeHost()
        let expired = try Self.expired.get()
        now = WallTime(nanoseconds: 0)
        #expect(
            try change(["certificate": .string(expired.certificate), "key": .string(expired.key)])?
                .contains("/http/certificate is valid from") == true)
    }

    /// A box that starts with a certificate that cannot be read serves with its own.
    @Test func statusTellsAll() throws {
        let host = try makeHost(["tls": true, "names": ["box.example"], "connections": 100])
        var answered = JSONValue.null
        let request = try CommandRequest(CommandDescription(ShowHTTP.self))
        #expect(host.handle(request) { if case .success(let answer) = $0 { answered = answer } })
        #expect(HTTPReport.kind.problems(of: answered).isEmpty)
        #expect(answered["fingerprint"]?.string == host[Endpoint.self].fingerprint && answered["isOwn"] == true)
        #expect(answered["publicKeyPin"]?.string?.hasPrefix("sha256//") == true)
        #expect(answered["validUntil"] == "9999-12-31T23:59:59Z" && answered["isExpired"] == false)
        #expect(answered["places"]?.array?.count == 4 && answered["webSockets"] == 80)
        #expect(answered["names"]?.array?.contains("box.example") == true)
    }
}
