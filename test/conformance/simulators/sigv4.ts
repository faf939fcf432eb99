import { percentEncoded, signatureOf, type Signable } from './signatures.ts'

/** Of an access key, and of where a request is for. */
export interface SigV4Scope {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
}

const AWS = {
  algorithm: 'AWS4-HMAC-SHA256',
  prefix: 'AWS4',
  // What stands in the path is encoded once more.
  path: (path: string) => path.split('/').map(percentEncoded).join('/'),
}

const scopeOf = ({ region, service }: SigV4Scope, amzDate: string) =>
  `${amzDate.slice(0, 8)}/${region}/${service}/aws4_request`

/** Of AWS Signature Version 4, in hex. `amzDate`: as `20231114T221320Z`. `signed`: names of headers. */
export const sigV4 = (request: Signable, scope: SigV4Scope, amzDate: string, signed: string[]): string =>
  signatureOf(AWS, scope.secretAccessKey, request, {
    time: amzDate,
    scope: scopeOf(scope, amzDate),
    signed: signed.map((name) => name.toLowerCase()).sort(),
  })

/** The header by which a request is signed. */
export const sigV4Header = (request: Signable, scope: SigV4Scope, amzDate: string, signed: string[]) =>
  [
    `${AWS.algorithm} Credential=${scope.accessKeyId}/${scopeOf(scope, amzDate)}`,
    `SignedHeaders=${signed.join(';')}`,
    `Signature=${sigV4(request, scope, amzDate, signed)}`,
  ].join(', ')
