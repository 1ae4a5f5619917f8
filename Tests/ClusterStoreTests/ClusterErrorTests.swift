// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ClusterStore

@Suite struct ClusterErrorTests {
    @Test(arguments: [
        ("53100", ClusterError.Kind.full), ("25006", .readOnly), ("40001", .serialisation), ("40P01", .serialisation),
        ("55P03", .serialisation), ("57P01", .unreachable), ("57P03", .unreachable), ("08006", .unreachable),
        ("57014", .busy), ("53300", .busy), ("23505", .conflict), ("28P01", .denied), ("42501", .denied),
        ("58030", .failing), ("XX001", .damaged), ("42601", .other), ("", .other),
    ]) func errorsAreToldApartByState(state: String, kind: ClusterError.Kind) {
        #expect(ClusterError(state: state, message: "x").kind == kind)
    }

    @Test func noPasswordIsShown() throws {
        let secret = "s3cret w0rd"
        let address = try ClusterAddress("host=/nowhere dbname=x password='\(secret)'")
        let error = thrown(ClusterError.self) { _ = try ClusterConnection(address) }
        #expect(error?.kind == .unreachable && error?.description.contains("nowhere") == true)
        #expect(error?.description.contains(secret) == false && !address.cleaned("no \(secret)!").contains(secret))
        let wrong = thrown(ClusterError.self) { _ = try ClusterAddress("host=a password=\(secret) =") }
        #expect(wrong?.kind == .other && wrong?.description.contains("s3cret") == false)
        let url = try ClusterAddress("postgresql://u:hid%64en@a,b/x")
        #expect(url.secrets == ["hidden"] && url.options["host"] == "a,b")
    }

    @Test func whatIsNotSaidIsAsItSuitsUs() throws {
        let address = try ClusterAddress("host=a,b,c connect_timeout=7")
        #expect(address.options["connect_timeout"] == "7" && address.options["target_session_attrs"] == "read-write")
        #expect(address.options["tcp_user_timeout"] == "5000" && address.options["host"] == "a,b,c")
    }

    @Test func valuesAreWrittenAsPostgresReadsThem() {
        #expect(ClusterValue.array(["a\"b", "c\\d", nil, ""]) == .text(#"{"a\"b","c\\d",NULL,""}"#))
        #expect(ClusterValue.array([1, nil, -2]) == .text("{1,NULL,-2}"))
        #expect([Int64](clusterArray: "{}") == [] && [Int64](clusterArray: "{1,-2}") == [1, -2])
        #expect([Int64](clusterArray: "{x}") == nil && [Int64](clusterArray: "1") == nil)
        var line: [UInt8] = []
        ClusterValue.text("a\tb\\c\nd\r").write(to: &line)
        ClusterValue.octets([0, 0xff]).write(to: &line)
        ClusterValue.null.write(to: &line)
        #expect(String(decoding: line, as: UTF8.self) == #"a\tb\\c\nd\r\\x00ff\N"#)
    }
}
