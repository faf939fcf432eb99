"""Reads "TYPE rdata" lines, and prints for each the wire form that dnspython makes of it, or why it makes none."""
import sys

import dns.rdata
import dns.rdataclass
import dns.rdatatype

for line in sys.stdin:
    kind, _, text = line.rstrip("\n").partition(" ")
    try:
        rdata = dns.rdata.from_text(dns.rdataclass.IN, dns.rdatatype.from_text(kind), text)
        print(rdata.to_wire().hex())
    except Exception as error:  # whatever it is, it is told
        print(f"error {error}")
