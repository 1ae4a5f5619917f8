// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTP

struct HTTPResponseTests {
    private func head(_ response: HTTPResponse, closes: Bool = false) -> String {
        String(decoding: response.head(closes: closes), as: UTF8.self)
    }

    @Test func headSaysHowMuchFollows() {
        let response = HTTPResponse(200, fields: [("Content-Type", "text/plain")], body: .octets([1, 2]))
        #expect(head(response) == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n")
        #expect(
            head(HTTPResponse(404), closes: true)
                == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(head(HTTPResponse(204)) == "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test func streamEndsWithTheConnection() {
        #expect(head(HTTPResponse(200, body: .stream(opening: []))) == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    }

    @Test func fieldsAreFoundByName() {
        let response = HTTPResponse(405, fields: [("Allow", "GET"), ("Allow", "POST")])
        #expect(response.field("Allow") == "GET")
        #expect(response.field("Retry-After") == nil)
        #expect(response == HTTPResponse(405, fields: [("Allow", "GET"), ("Allow", "POST")]))
        #expect(response != HTTPResponse(405, fields: [("Allow", "GET")]))
    }
}
