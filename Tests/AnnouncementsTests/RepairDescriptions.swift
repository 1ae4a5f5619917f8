// SPDX-License-Identifier: Apache-2.0

/// Descriptions in the forms that RFC 6364 §5, RFC 6865 §4.1 and RFC 6015 §5 show.
enum RepairDescriptions {
    static let framework = """
        v=0
        o=ali 1122334455 1122334466 IN IP4 10.0.0.1
        s=FEC
        t=0 0
        a=group:FEC-FR S1 R1 R2
        a=group:LS S1
        m=video 30000 RTP/AVP 100
        c=IN IP4 233.252.0.1/127
        a=rtpmap:100 MP2T/90000
        a=fec-source-flow: id=0; tag-len=6
        a=mid:S1
        m=application 30002 UDP/FEC
        c=IN IP4 233.252.0.2/127
        a=fec-repair-flow: encoding-id=8; preference-lvl=1; ss-fssi=E:1400,S:0,m:8
        a=repair-window:150ms
        a=mid:R1
        m=application 30004 udp/fec
        c=IN IP4 233.252.0.3/127
        a=fec-repair-flow:encoding-id=8; fssi=E:1234,S:0,m:7,AbCd; rs-fssi=x:1
        a=repair-window: 200000us
        a=mid:R2

        """

    static let parity = """
        v=0
        o=ali 1 2 IN IP6 fd00::1
        s=Parity
        t=0 0
        a=group:FEC-FR 1 2
        m=video 5004 RTP/AVP 33
        c=IN IP6 ff05::7
        a=mid:1
        m=application 5006 RTP/AVP 110
        c=IN IP6 ff05::7
        a=rtpmap:110 1d-interleaved-parityfec/90000
        a=fmtp:110 L=5; D=10; repair-window=200000
        a=mid:2

        """
}
