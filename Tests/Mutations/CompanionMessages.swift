// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension Corpus {
    /// Of two instances that were heard, and an announcement.
    private var groupDatagram: String {
        [
            "544c53470100000200010203040506070000000000000005090909090909090907070707070707077b2267726f",
            "7570223a226c6f626279222c22626f78223a2234633065222c2269734170706f696e746564223a66616c73652c",
            "226c65616473223a747275652c22657261223a22346330653a3831222c2263696955726c223a2277733a2f2f31",
            "39322e302e322e373a373638312f636969222c2272656675736564223a5b2237376161225d7d00010203040506",
            "0708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        ].joined()
    }

    /// Each message of companion screens, and the texts within them.
    var companionMessages: [[UInt8]] {
        let datagrams = [
            "00000000000000000000047b0ef811ed00000000000000000000000000000000",
            "0001ed000001f4000000047b0ef811ed0000047b0f115db60000047b0f12eaca",
            groupDatagram,
        ].map { [UInt8](hexadecimal: $0) }
        let texts = [
            #"{"protocolVersion":"1.1","contentId":"dvb://233a.1004.1044;363a~20130218T0915Z--PT00H45M","#
                + #""contentIdStatus":"final","presentationStatus":"okay","mrsUrl":null,"wcUrl":"udp://127.0.0.1:16677","#
                + #""tsUrl":"ws://127.0.0.1:17681/ts","timelines":[{"timelineSelector":"urn:dvb:css:timeline:pts","#
                + #""timelineProperties":{"unitsPerTick":1,"unitsPerSecond":90000,"accuracy":0.01}}]}"#,
            #"{"presentationStatus":["okay","x"],"private":[{"type":"urn:x","y":1}],"wcUrl":"udp://[::1]:6677"}"#,
            #"{"contentIdStem":"dvb://233a","timelineSelector":"urn:dvb:css:timeline:pts"}"#,
            #"{"contentTime":"703963","wallClockTime":"1113285308466","timelineSpeedMultiplier":1.0}"#,
            #"{"contentTime":null,"wallClockTime":"1147828508242","timelineSpeedMultiplier":null}"#,
            #"{"actual":{"contentTime":"834190","wallClockTime":"115992000000"},"#
                + #""earliest":{"contentTime":"834190","wallClockTime":"minusinfinity"},"#
                + #""latest":{"contentTime":"834190","wallClockTime":"plusinfinity"}}"#,
            "urn:dvb:css:timeline:temi:1:128", "urn:dvb:css:timeline:mpd:period:rel:1000:p2", "udp://[fe80::1]:6677",
            "wss://tv.example:7681/ts?a=1",
        ]
        return datagrams + texts.map { Array($0.utf8) }
    }

    /// Messages of SSDP, and what devices say of themselves.
    var discoveryMessages: [[UInt8]] {
        let fields =
            "LOCATION: http://192.0.2.7:8008/dd.xml\r\nCACHE-CONTROL: max-age=1800\r\nUSN: uuid:1\r\n"
            + "BOOTID.UPNP.ORG: 7\r\nCONFIGID.UPNP.ORG: 9\r\n"
        let service = "urn:dial-multiscreen-org:service:dial:1"
        let texts = [
            "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 3\r\nST: \(service)\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\(fields)ST: \(service)\r\n\r\n",
            "NOTIFY * HTTP/1.1\r\n\(fields)NT: \(service)\r\nNTS: ssdp:alive\r\n\r\n",
            "NOTIFY * HTTP/1.1\r\nNT: \(service)\r\nUSN: uuid:1\r\nNTS: ssdp:byebye\r\n\r\n",
            "http://[fe80::1]:8008/apps",
            "<?xml version='1.0'?><root xmlns='urn:schemas-upnp-org:device-1-0'><device><UDN>uuid:1</UDN></device></root>",
            "<service xmlns='urn:a' dialVer='1.7'><name>HbbTV</name><additionalData><x:y xmlns:x='urn:b'>&amp;</x:y>"
                + "</additionalData></service>",
        ]
        return texts.map { Array($0.utf8) }
    }
}
