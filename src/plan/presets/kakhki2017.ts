export const kakhki2017 = {
  study: 'Kakhki et al., Taking a Long Look at QUIC, IMC 2017',
  machine:
    'Chrome over a shaped link of 36 ms round trip, a calibrated server of their own; gQUIC of 2017 against TCP with TLS 1.2',
} as const;
