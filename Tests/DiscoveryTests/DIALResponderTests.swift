// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import HTTP
import Markup
import Testing

@testable import Discovery

@Suite struct DIALResponderTests {
    static let description = DeviceDescription(
        friendlyName: "Bar <left> & \u{1}right", manufacturer: "Touchline", modelName: "Box",
        uniqueDeviceName: "uuid:1")
    static let services = CompanionApplication(
        contentInformation: WebSocketURL("ws://192.0.2.7:7681/cii?a=1&b=2"), userAgent: "Touchline/1")

    static func responder() throws -> DIALResponder {
        let base = try #require(HTTPURL("http://192.0.2.7:8080"))
        return try #require(DIALResponder(at: base, description, services))
    }

    private func octets(_ response: HTTPResponse?) -> [UInt8] {
        guard case .octets(let octets) = response?.body else { return [] }
        return octets
    }

    @Test func theDeviceIsDescribed() throws {
        let responder = try Self.responder()
        #expect(responder.location.description == "http://192.0.2.7:8080/dial/device.xml")
        let response = responder.response(to: HTTPRequest(.get, "/dial/device.xml"))
        #expect(response?.code == 200 && response?.field("Application-URL") == "http://192.0.2.7:8080/dial/apps")
        var expected = Self.description
        expected.friendlyName = "Bar <left> & \u{fffd}right"
        #expect(DeviceDescription(try MarkupElement(parsing: octets(response))) == expected)
    }

    @Test func theServicesAreTold() throws {
        let response = try Self.responder().response(to: HTTPRequest(.get, "/dial/apps/HbbTV"))
        #expect(response?.code == 200 && response?.field("Content-Type") == "text/xml; charset=utf-8")
        #expect(CompanionApplication(try MarkupElement(parsing: octets(response))) == Self.services)
    }

    @Test func nothingIsLaunched() throws {
        let responder = try Self.responder()
        func code(_ method: HTTPMethod, _ path: String) -> Int? {
            responder.response(to: HTTPRequest(method, path))?.code
        }
        #expect(code(.post, "/dial/apps/HbbTV") == 403)
        #expect(code(.delete, "/dial/apps/HbbTV/run") == 403)
        #expect(code(.post, "/dial/apps/HbbTV/run/hide") == 403)
        #expect(code(.delete, "/dial/apps/HbbTV") == 405)
        #expect(code(.post, "/dial/device.xml") == 405)
        #expect(code(.get, "/dial/apps/YouTube") == 404)
        #expect(code(.post, "/dial/apps/YouTube") == 404)
        #expect(code(.get, "/v1/status") == nil && code(.get, "/dial/apps") == nil)
    }

    @Test func otherDocumentsAreNone() throws {
        for text in ["<root/>", "<service/>", "<root xmlns='urn:schemas-upnp-org:device-1-0'/>"] {
            let root = try MarkupElement(parsing: Array(text.utf8))
            #expect(DeviceDescription(root) == nil && CompanionApplication(root) == nil)
        }
        let other = String(decoding: Self.services.octets, as: UTF8.self).replacing(">HbbTV<", with: ">Other<")
        #expect(CompanionApplication(try MarkupElement(parsing: Array(other.utf8))) == nil)
        // A URL that is none is left out.
        let wrong = String(decoding: Self.services.octets, as: UTF8.self).replacing("ws://", with: "http://")
        let services = CompanionApplication(try MarkupElement(parsing: Array(wrong.utf8)))
        #expect(services == CompanionApplication(contentInformation: nil, userAgent: "Touchline/1"))
    }
}
