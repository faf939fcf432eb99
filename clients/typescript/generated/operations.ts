// Generated from the description of the Open API by scripts/client.ts: not to be edited.

import { HttpClient, type RequestOptions } from "../http.ts";
import type {
  AcceptedOperation,
  AcmeChallenge,
  AcmeChallengeInput,
  AcmeDnsAccount,
  AcmeDnsRegistrationInput,
  AcmeDnsRegistrationList,
  AcmeDnsUpdate,
  AcmeDnsValue,
  Actor,
  AppliedChanges,
  Assignment,
  AssignmentPermission,
  AssignmentRequest,
  AssignmentRequestStatus,
  AuditAction,
  CapabilityExtent,
  Change,
  ChangedRecord,
  CopyAnswer,
  CopyMode,
  Counted,
  CreatedDomain,
  CreateRecord,
  DnsRecord,
  Dnssec,
  Domain,
  DomainPage,
  DomainSort,
  DomainsPlan,
  DomainStatus,
  DomainTransfer,
  DomainTransferStatus,
  ExpiryLookup,
  ExternalDnsEndpoint,
  ExternalDnsWishes,
  NewToken,
  Notification,
  Operation,
  OperationAnswer,
  OperationToRevert,
  Order,
  Origin,
  Plan,
  PlanToApply,
  ProviderConfig,
  RecordChanges,
  RecordData,
  RecordPage,
  RecordSort,
  RecordStatus,
  RecordType,
  RecordTypeInfo,
  ReplaceBody,
  Routing,
  SearchedIn,
  Soa,
  StartTemplate,
  SwitchAnswer,
  SyncDifference,
  Template,
  TemplateBody,
  TemplatePlanBody,
  TokenMark,
  TokenOwner,
  TokenPermission,
  TokenRestrictions,
  ToldProblem,
  UpdateRecord,
  ZoneFormat,
  ZoneImport,
  ZoneKind,
  ZoneStatus,
} from "./data-contracts.ts";

/** The operations of the Open API, each by its operationId. */
export class Operations extends HttpClient {
  /**
   * Who did what to what from where, newest first.
   * For administrators: each change of state with who made it, from where, and what differs before and after. Filters add up; secrets are never in it. Permission of a personal token: `audit:read`.
   *
   * `GET /api/v1/audit`
   */
  listAudit(
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 50
       * @example 50
       */
      limit?: number;
      /**
       * `nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`
       * @maxLength 1000
       * @example "WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0"
       */
      cursor?: string;
      /**
       * Id or user name of who did it
       * @maxLength 254
       * @example "admin"
       */
      actor?: string;
      /**
       * One action, or all of an area: `auth.*`
       * @maxLength 100
       * @pattern ^[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?$
       * @example "auth.*"
       */
      action?: string;
      /**
       * Id of what it was done to, or the type of those: `domain`
       * @maxLength 254
       * @example "domain"
       */
      target?: string;
      /**
       * Id or name of the personal token it was done with
       * @minLength 1
       * @maxLength 100
       * @example "deploy"
       */
      token?: string;
      /**
       * How the request came in. Protocols (`ddns`, `acme`, `external-dns`, `powerdns-api`, `dns-update`) and the service itself (`schedule`: scheduled tasks; `sync`: automatic sync) are facts. `console`, `cli` and `mcp` are what the client says by the header `Zonekeeper-Client`; `api` is any other client
       * @example "api"
       */
      origin?: Origin;
      /**
       * At or after
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      from?: string;
      /**
       * Before
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      to?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      entries: {
        /**
         * UUIDv7
         * @format uuid
         */
        id: string;
        /**
         * ISO 8601, UTC
         * @format date-time
         * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
         */
        at: string;
        actor: Actor;
        /** Null in entries from before it was recorded */
        origin: Origin | null;
        /** Null when no personal token was used */
        token: TokenMark | null;
        ip: string | null;
        requestId: string | null;
        /** What was done, as `<area>.<what happened>` */
        action: AuditAction;
        target: {
          type: string;
          id: string | null;
          name: string | null;
        };
        /** Only what changed; never a secret */
        before: Record<string, any> | null;
        /** Only what changed; never a secret */
        after: Record<string, any> | null;
      }[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
      /** `cursor` of the next page, which may be empty; null: this was the last */
      nextCursor: string | null;
    }>("GET", `/api/v1/audit`, {
      query,
      ...options,
    });
  }
  /**
   * The audit trail as CSV (RFC 4180), newest first, with the filters of the list.
   * Cells that a spreadsheet would take for a formula begin with an apostrophe. `before` and `after` are JSON. The export itself is an entry. Permission of a personal token: `audit:read`.
   *
   * `GET /api/v1/audit/export`
   */
  exportAudit(
    query?: {
      /**
       * Id or user name of who did it
       * @maxLength 254
       * @example "admin"
       */
      actor?: string;
      /**
       * One action, or all of an area: `auth.*`
       * @maxLength 100
       * @pattern ^[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?$
       * @example "auth.*"
       */
      action?: string;
      /**
       * Id of what it was done to, or the type of those: `domain`
       * @maxLength 254
       * @example "domain"
       */
      target?: string;
      /**
       * Id or name of the personal token it was done with
       * @minLength 1
       * @maxLength 100
       * @example "deploy"
       */
      token?: string;
      /**
       * How the request came in. Protocols (`ddns`, `acme`, `external-dns`, `powerdns-api`, `dns-update`) and the service itself (`schedule`: scheduled tasks; `sync`: automatic sync) are facts. `console`, `cli` and `mcp` are what the client says by the header `Zonekeeper-Client`; `api` is any other client
       * @example "api"
       */
      origin?: Origin;
      /**
       * At or after
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      from?: string;
      /**
       * Before
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      to?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<string>("GET", `/api/v1/audit/export`, {
      query,
      ...options,
    });
  }
  /**
   * Who this is: the token that the request comes with, and its owner.
   * What it may do, what narrows it, and when it ends. Every personal token may ask; an access token is none (403).
   *
   * `GET /api/v1/token`
   */
  getToken(options?: RequestOptions) {
    return this.request<{
      /**
       * UUIDv7
       * @format uuid
       */
      id: string;
      name: string;
      permissions: TokenPermission[];
      /** Narrows what the token reaches; a field that is missing narrows nothing */
      restrictions: TokenRestrictions | null;
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt: string | null;
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      lastUsedAt: string | null;
      user: TokenOwner;
    }>("GET", `/api/v1/token`, {
      ...options,
    });
  }
  /**
   * A new token in the place of the one that the request comes with; it is shown this once.
   * It has the name, the rights and the end of the old one, which is good for an hour more; repeated in that hour, the answer is the same. Every personal token may do so; an access token is none (403).
   *
   * `POST /api/v1/token/rotate`
   */
  rotateToken(options?: RequestOptions) {
    return this.request<NewToken>("POST", `/api/v1/token/rotate`, {
      ...options,
    });
  }
  /**
   * The catalogue: kinds of DNS hosts, their credentials and what they can do.
   * For everybody who is signed in. `credentialSchema` is a JSON Schema with titles, enough to draw the form; `capabilities` say what the kind of host can do. Permission of a personal token: `providers:read`.
   *
   * `GET /api/v1/providers`
   */
  listProviders(options?: RequestOptions) {
    return this.request<{
      providers: {
        /**
         * UUIDv7
         * @format uuid
         */
        id: string;
        key: string;
        name: string;
        /** JSON Schema of the credentials, with titles: enough to draw the form. Secrets are writeOnly. */
        credentialSchema: Record<string, any>;
        /** The least rights that the credentials need, for people; empty: there is nothing to say */
        rights: string;
        capabilities: {
          recordTypes: RecordType[];
          /** Takes any other type as `TYPE65534` (RFC 3597) */
          otherTypes: boolean;
          /** What it changes at once: a record, or all of a name and type */
          identity: "record-id" | "rrset";
          /** A record has another `providerId` after it was changed */
          idsChange: boolean;
          /** What it takes in one call: one record or set, several of which each is done on its own, or several of which all are done or none */
          batch: "none" | "best-effort" | "atomic";
          /** Sets of records that are handed over at once, at most */
          maxBatch: number;
          /** Values in one call, at most; missing: no limit */
          maxBatchValues?: number;
          /** Characters of names and values in one call, at most; missing: no limit */
          maxBatchLength?: number;
          proxied: boolean;
          /** Several RRsets of one name and type, told apart by `routing` of their records */
          routing: boolean;
          /** Keeps comments of records itself */
          comments: boolean;
          /** What has a TTL of its own; of `zone` it is changed at the provider alone */
          ttlOf: "rrset" | "record" | "zone";
          /** `ttl: null`: the provider chooses it */
          automaticTtl: boolean;
          /** What one write replaces; changes of one `zone` go one after another */
          writeUnit: "record" | "rrset" | "zone";
          /** Records may be `enabled: false`: kept without being served */
          disabledRecords: boolean;
          minTtl: number;
          maxTtl: number;
          /** The only TTLs that it takes, seconds; missing: all from `minTtl` to `maxTtl` */
          ttls?: number[];
          /** What it gives records of which no TTL is said, seconds */
          defaultTtl: number;
          /** How low a TTL may be depends on the plan of the account; `minTtl` is the lowest of all */
          ttlByPlan: boolean;
          /** What TXT records can hold there */
          txt: {
            /** Bytes of all strings together */
            maxLength: number;
            /** Keeps the bounds between strings */
            strings: boolean;
            beyondAscii: boolean;
            /** Characters that it does not take */
            without: string[];
          };
          wildcards: boolean;
          /** Labels that begin with `_` are taken for every type */
          underscores: boolean;
          /** Takes `0 .` as MX (RFC 7505) */
          nullMx: boolean;
          apexCname: boolean;
          /** Takes ALIAS or ANAME at the apex */
          apexAlias: boolean;
          /** NS at the apex may be changed */
          apexNs: boolean;
          createZone: boolean;
          /** Creating a zone needs `nameServers` of the configuration */
          zoneNameServers: boolean;
          soa: CapabilityExtent;
          dnssec: CapabilityExtent;
          deleteZone: boolean;
          /** `local` where there is no upstream */
          truth: "provider" | "local";
        };
      }[];
    }>("GET", `/api/v1/providers`, {
      ...options,
    });
  }
  /**
   * The own configurations; for administrators all.
   * Credentials are masked. A member sees their own, an administrator all. Permission of a personal token: `providers:read`.
   *
   * `GET /api/v1/provider-configs`
   */
  listProviderConfigs(options?: RequestOptions) {
    return this.request<{
      providerConfigs: ProviderConfig[];
    }>("GET", `/api/v1/provider-configs`, {
      ...options,
    });
  }
  /**
   * One configuration, secrets masked.
   * For its owner and administrators; for others it is 404. Permission of a personal token: `providers:read`.
   *
   * `GET /api/v1/provider-configs/{id}`
   */
  getProviderConfig(id: string, options?: RequestOptions) {
    return this.request<ProviderConfig>(
      "GET",
      `/api/v1/provider-configs/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * The record types: their fields, and who can hold them.
   * Enough to draw a form for each type: what `value` looks like, the fields that `data` has, in their order, and which of the kinds of DNS hosts and of the configurations that the caller sees can hold it. Other types are written as `TYPE65534`, with their data as bytes (RFC 3597), where `otherTypes` of the host says so. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/record-types`
   */
  listRecordTypes(options?: RequestOptions) {
    return this.request<{
      recordTypes: RecordTypeInfo[];
    }>("GET", `/api/v1/record-types`, {
      ...options,
    });
  }
  /**
   * The domains that the caller sees.
   * A member's own domains and those of which they have a part, an administrator's all. Filters add up; counts of records are of what the caller sees. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains`
   */
  listDomains(
    query?: {
      /**
       * Of more than 50000 domains that a filter matches, or to whose list others were assigned, the first 5000 can be paged through; without a filter, and by `cursor`, all
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 20
       * @example 20
       */
      limit?: number;
      /**
       * `nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`
       * @maxLength 1000
       * @example "WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0"
       */
      cursor?: string;
      /**
       * Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date
       * @example "active"
       */
      status?: DomainStatus;
      /**
       * @maxLength 100
       * @example "production"
       */
      group?: string;
      /**
       * @maxLength 50
       * @example "web"
       */
      tag?: string;
      /**
       * Part of the name; at least 3 characters in a list of more than 50000 domains
       * @maxLength 253
       * @example "exam"
       */
      search?: string;
      /**
       * UUIDv7
       * @format uuid
       * @example "0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10"
       */
      ownerId?: string;
      /**
       * UUIDv7
       * @format uuid
       * @example "0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10"
       */
      providerConfigId?: string;
      /**
       * Whether the last sync failed
       * @example true
       */
      syncFailed?: boolean;
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      expiresBefore?: string;
      /**
       * Then, or later
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      expiresAfter?: string;
      /**
       * @default "name"
       * @example "name"
       */
      sort?: DomainSort;
      /**
       * Ties are broken by id
       * @default "asc"
       * @example "asc"
       */
      order?: Order;
    },
    options?: RequestOptions,
  ) {
    return this.request<DomainPage>("GET", `/api/v1/domains`, {
      query,
      ...options,
    });
  }
  /**
   * Register a domain.
   * For the owner of the provider configuration, or an administrator. The zone must be at the provider, or `createZone` makes it there where the provider can. Its records are read: `lastSyncedAt` says when, and `lastSyncError` why not; both null: a large zone, or a slow provider, is still being read in the background. What failed is tried again for a day; `POST /api/v1/domains/{id}/sync` does it at once. A name that the configuration has already is 409. A name that equals, contains or lies below a domain of another user is 403 with the reason `name_proof_required`, unless an administrator registers it or the TXT record that `challenge` names is found in public DNS; the other owners are notified. With `template` its records are made (which needs `records:write`); a domain where that fails stays registered. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains`
   */
  createDomain(
    body: {
      /**
       * In Unicode or punycode
       * @minLength 1
       * @maxLength 1000
       */
      name: string;
      /**
       * UUIDv7
       * @format uuid
       */
      providerConfigId: string;
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt?: string | null;
      /**
       * @maxLength 100
       * @pattern ^[^\u0000-\u001f\u007f]*$
       */
      groupName?: string;
      /** @maxItems 50 */
      tags?: string[];
      /** @maxLength 10000 */
      notes?: string;
      /**
       * Reminder lead times in days
       * @maxItems 10
       * @uniqueItems true
       */
      expiryRemindDays?: number[];
      autoCheckExpiry?: boolean;
      /**
       * @min 1
       * @max 2147483647
       */
      defaultTtl?: number;
      /**
       * Minutes between automatic syncs with the provider; null: none
       * @min 5
       * @max 43200
       */
      syncInterval?: number | null;
      /**
       * The `id` of the zone at the provider, where several have the name
       * @minLength 1
       * @maxLength 500
       */
      zoneId?: string;
      /** Create the zone at the provider when it is missing there */
      createZone?: boolean;
      /** Applied once the domain is registered; why it was not is in `warnings` */
      template?: StartTemplate;
    },
    options?: RequestOptions,
  ) {
    return this.request<CreatedDomain>("POST", `/api/v1/domains`, {
      body,
      ...options,
    });
  }
  /**
   * One domain.
   * For who owns the domain or has a part of it, and for administrators; for others it is 404. `access` says what the caller may do. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/{id}`
   */
  getDomain(id: string, options?: RequestOptions) {
    return this.request<Domain>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Change settings of a domain; its name stays for life, its provider until it is switched.
   * For the owner and administrators. What is missing stays; another `name` or `providerConfigId` is 400 (`POST /api/v1/domains/{id}/switch` has it served from elsewhere). A changed `expiresAt` counts as set by hand. Ignored when sent back: `id`, `unicodeName`, `providerId`, `status`, `recordCount`, `unmanaged`, `recordsVersion`, `createdAt`, `lastSyncedAt`, `lastSyncError`, `lastSyncErrorCode`, `lastSyncErrorParams`, `access`, `owner`, `providerKey`, `providerConfigName`, `zoneId`, `ownerId`, `nameServers`, `registrar`, `eppStatus`, `expirySource`, `expiryCheckedAt`, `updatedAt`. Permission of a personal token: `domains:write`.
   *
   * `PUT /api/v1/domains/{id}`
   */
  updateDomain(
    id: string,
    body: {
      /**
       * Can not change
       * @maxLength 1000
       */
      name?: string;
      /**
       * Can not change
       * @format uuid
       */
      providerConfigId?: string;
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt?: string | null;
      /**
       * @maxLength 100
       * @pattern ^[^\u0000-\u001f\u007f]*$
       */
      groupName?: string;
      /** @maxItems 50 */
      tags?: string[];
      /** @maxLength 10000 */
      notes?: string;
      /**
       * Reminder lead times in days
       * @maxItems 10
       * @uniqueItems true
       */
      expiryRemindDays?: number[];
      autoCheckExpiry?: boolean;
      /**
       * @min 1
       * @max 2147483647
       */
      defaultTtl?: number;
      /**
       * Minutes between automatic syncs with the provider; null: none
       * @min 5
       * @max 43200
       */
      syncInterval?: number | null;
    },
    options?: RequestOptions,
  ) {
    return this.request<Domain>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Remove a domain here; the zone at the provider stays unless asked otherwise.
   * For the owner and administrators. History and assignments go with it. With `deleteZone=true` the zone is first deleted at the provider, for good; when that fails nothing changes here. Permission of a personal token: `domains:write`.
   *
   * `DELETE /api/v1/domains/{id}`
   */
  deleteDomain(
    id: string,
    query?: {
      /**
       * Also delete the zone at the provider, with all its records
       * @default false
       * @example false
       */
      deleteZone?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<void>(
      "DELETE",
      `/api/v1/domains/${encodeURIComponent(id)}`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * Set group, tags, reminders or automatic look-ups of many domains at once.
   * For the owner of all of them, or an administrator. All are changed or, when one is missing or not the caller's, none. Of tags first the whole list is set, then `removeTags`, then `addTags`. Permission of a personal token: `domains:write`.
   *
   * `PUT /api/v1/domains/bulk`
   */
  updateDomains(
    body: {
      /**
       * @maxItems 200
       * @minItems 1
       * @uniqueItems true
       */
      ids: string[];
      /** At least one of them; what is missing stays as it is */
      set: {
        /**
         * @maxLength 100
         * @pattern ^[^\u0000-\u001f\u007f]*$
         */
        groupName?: string;
        /** @maxItems 50 */
        tags?: string[];
        /**
         * Added to what each has, or to `tags`
         * @maxItems 50
         */
        addTags?: string[];
        /**
         * Taken from what each has, before `addTags`
         * @maxItems 50
         */
        removeTags?: string[];
        /**
         * Reminder lead times in days
         * @maxItems 10
         * @uniqueItems true
         */
        expiryRemindDays?: number[];
        autoCheckExpiry?: boolean;
      };
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      updated: number;
    }>("PUT", `/api/v1/domains/bulk`, {
      body,
      ...options,
    });
  }
  /**
   * Tags in use, with the number of domains.
   * Of the domains that the caller sees; by name. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/tags`
   */
  listDomainTags(options?: RequestOptions) {
    return this.request<{
      tags: Counted[];
    }>("GET", `/api/v1/domains/tags`, {
      ...options,
    });
  }
  /**
   * Groups in use, with the number of domains.
   * Of the domains that the caller sees; by name. Domains without a group are not counted. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/groups`
   */
  listDomainGroups(options?: RequestOptions) {
    return this.request<{
      groups: Counted[];
    }>("GET", `/api/v1/domains/groups`, {
      ...options,
    });
  }
  /**
   * Set reminder lead times and the automatic look-up.
   * For the owner and administrators. One reminder for each lead time as it is passed; those that are passed already are not told again. With `autoCheckExpiry` the date is looked up by itself, at most daily. Ignored when sent back: `id`, `name`, `unicodeName`, `providerId`, `providerConfigId`, `expiresAt`, `status`, `groupName`, `tags`, `recordCount`, `unmanaged`, `recordsVersion`, `createdAt`, `lastSyncedAt`, `lastSyncError`, `lastSyncErrorCode`, `lastSyncErrorParams`, `access`, `owner`, `providerKey`, `providerConfigName`, `zoneId`, `ownerId`, `notes`, `nameServers`, `registrar`, `eppStatus`, `expirySource`, `expiryCheckedAt`, `syncInterval`, `defaultTtl`, `updatedAt`. Permission of a personal token: `domains:write`.
   *
   * `PUT /api/v1/domains/{id}/expiry-remind`
   */
  updateExpiryReminders(
    id: string,
    body: {
      /**
       * Reminder lead times in days
       * @maxItems 10
       * @uniqueItems true
       */
      expiryRemindDays?: number[];
      autoCheckExpiry?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<Domain>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}/expiry-remind`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Set the expiry date by hand.
   * For the owner and administrators. null takes the date off, and with it the reminders. A later look-up that finds a date replaces it. Ignored when sent back: `id`, `name`, `unicodeName`, `providerId`, `providerConfigId`, `status`, `groupName`, `tags`, `recordCount`, `unmanaged`, `recordsVersion`, `createdAt`, `expiryRemindDays`, `autoCheckExpiry`, `lastSyncedAt`, `lastSyncError`, `lastSyncErrorCode`, `lastSyncErrorParams`, `access`, `owner`, `providerKey`, `providerConfigName`, `zoneId`, `ownerId`, `notes`, `nameServers`, `registrar`, `eppStatus`, `expirySource`, `expiryCheckedAt`, `syncInterval`, `defaultTtl`, `updatedAt`. Permission of a personal token: `domains:write`.
   *
   * `PUT /api/v1/domains/{id}/expiry`
   */
  setExpiry(
    id: string,
    body: {
      /**
       * ISO 8601, UTC
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt: string | null;
    },
    options?: RequestOptions,
  ) {
    return this.request<Domain>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}/expiry`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * The zones at the provider, and which are registered here.
   * For the owner of the configuration and administrators. Asks the DNS host now, so it may be slow or fail; nothing is stored. Permission of a personal token: `providers:read`.
   *
   * `GET /api/v1/provider-configs/{id}/zones`
   */
  listProviderZones(id: string, options?: RequestOptions) {
    return this.request<{
      zones: {
        /** The provider's own id of it */
        id: string;
        /** Several zones may have the same: then `id` tells them apart */
        name: string;
        unicodeName: string;
        /** Those it is served by; null: the provider does not say */
        nameServers: string[] | null;
        /** `pending`: not delegated to the provider yet. `paused`: kept and not served. Null: not said */
        status: ZoneStatus | null;
        /** A `secondary` has its records from another server. Null: not said */
        kind: ZoneKind | null;
        /** Already a domain with this configuration */
        registered: boolean;
        /**
         * UUIDv7
         * @format uuid
         */
        domainId: string | null;
      }[];
    }>("GET", `/api/v1/provider-configs/${encodeURIComponent(id)}/zones`, {
      ...options,
    });
  }
  /**
   * The SOA of the zone, as the provider holds it now.
   * For everybody who sees the domain. Asks the DNS host now. 404 where the host shows no SOA. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/{id}/soa`
   */
  getSoa(id: string, options?: RequestOptions) {
    return this.request<Soa>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/soa`,
      {
        ...options,
      },
    );
  }
  /**
   * Change values of the SOA at the provider; those that are missing stay.
   * For who may write the whole domain. 409 where the host does not let its users change it (`capabilities.soa`). The host raises the serial, and the answer is the SOA as it then is. Ignored when sent back: `serial`. Permission of a personal token: `domains:write`.
   *
   * `PUT /api/v1/domains/{id}/soa`
   */
  updateSoa(
    id: string,
    body: {
      /**
       * Full name of the name server that is changed first
       * @minLength 1
       * @maxLength 1020
       */
      primary?: string;
      /**
       * Mail address of who is responsible
       * @maxLength 1020
       */
      mail?: string;
      /**
       * @min 0
       * @max 2147483647
       */
      refresh?: number;
      /**
       * @min 0
       * @max 2147483647
       */
      retry?: number;
      /**
       * @min 0
       * @max 2147483647
       */
      expire?: number;
      /**
       * How long resolvers remember that something is not there
       * @min 0
       * @max 2147483647
       */
      minimum?: number;
      /**
       * @min 0
       * @max 2147483647
       */
      ttl?: number;
    },
    options?: RequestOptions,
  ) {
    return this.request<Soa>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}/soa`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Whether the zone is signed, and the DS for the zone above.
   * For everybody who sees the domain. Asks the DNS host now. 404 where the host shows nothing of DNSSEC (`capabilities.dnssec`). Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/{id}/dnssec`
   */
  getDnssec(id: string, options?: RequestOptions) {
    return this.request<Dnssec>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/dnssec`,
      {
        ...options,
      },
    );
  }
  /**
   * Sign the zone by keys of the provider, or no longer.
   * For who may write the whole domain. After it is signed, `ds` belongs into the zone above, by its registrar; before it is signed no longer, the DS there must be gone for as long as its TTL, or nobody resolves the domain. Ignored when sent back: `ds`. Permission of a personal token: `domains:write`.
   *
   * `PUT /api/v1/domains/{id}/dnssec`
   */
  updateDnssec(
    id: string,
    body: {
      signed: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<Dnssec>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}/dnssec`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Look up by RDAP or WHOIS when a registration ends, and store nothing.
   * For everybody who is signed in; the name needs to be no domain here. Of a name below a registrable domain that one is asked for. When nothing is found the answer is 200 with `success: false` and `error`. Limited to 20 calls a minute. Permission of a personal token: `domains:read`.
   *
   * `POST /api/v1/domains/check-expiry-preview`
   */
  previewExpiry(
    body: {
      /**
       * In Unicode or punycode; of a name below it, the registrable domain is asked for
       * @minLength 1
       * @maxLength 1000
       */
      domain: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<ExpiryLookup>(
      "POST",
      `/api/v1/domains/check-expiry-preview`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Look up by RDAP or WHOIS when the registration ends, and store what is found.
   * For the owner and administrators. When nothing is found the answer is 200 with `success: false` and `error`, and a date that is known stays. Limited to 20 calls a minute. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/{id}/check-expiry`
   */
  checkExpiry(id: string, options?: RequestOptions) {
    return this.request<ExpiryLookup>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/check-expiry`,
      {
        ...options,
      },
    );
  }
  /**
   * The own large changes, newest first.
   * Of everybody the own ones alone, for 30 days after their end, without what they answered. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/operations`
   */
  listOperations(
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 20
       * @example 20
       */
      limit?: number;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      operations: Operation[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
    }>("GET", `/api/v1/operations`, {
      query,
      ...options,
    });
  }
  /**
   * How far a large change is, and how it ended.
   * For who asked for it, and administrators. It is over when `outcome` is not null. `result` and `problem` are not shown to who sees less of the domain by now. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/operations/{id}`
   */
  getOperation(id: string, options?: RequestOptions) {
    return this.request<OperationAnswer>(
      "GET",
      `/api/v1/operations/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * The records of a domain.
   * Those that the caller sees, as they are stored here: no DNS host is asked. `cursor` leads through all pages without skips or repeats, while `page` counts anew with each call. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/records`
   */
  listRecords(
    id: string,
    query?: {
      /**
       * Ignored with `cursor`
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 1000
       * @default 50
       * @example 50
       */
      limit?: number;
      /**
       * `nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`
       * @maxLength 1000
       * @example "WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0"
       */
      cursor?: string;
      /**
       * Several may be given, each by a parameter of its own: `type=A&type=AAAA`
       * @maxItems 64
       * @uniqueItems true
       * @example ["A"]
       */
      type?: RecordType[];
      /**
       * Part of the host name, or of what `in` says
       * @maxLength 253
       * @example "www"
       */
      search?: string;
      /**
       * What `search` looks into: host names, values, or both
       * @default "name"
       * @example "name"
       */
      in?: SearchedIn;
      /**
       * With the fields of each value in `data`
       * @default false
       * @example false
       */
      data?: boolean;
      /**
       * @default "name"
       * @example "name"
       */
      sort?: RecordSort;
      /**
       * Ties are broken by id
       * @default "asc"
       * @example "asc"
       */
      order?: Order;
    },
    options?: RequestOptions,
  ) {
    return this.request<RecordPage>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/records`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * Create a record at the provider.
   * Needs the right to write at that name. Answers when the provider has taken it; `warnings` are about what is allowed and most likely not meant. A TTL that differs from that of its name and type changes all of them. What stands in the way is in `record` of a 409. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/records`
   */
  createRecord(id: string, body: CreateRecord, options?: RequestOptions) {
    return this.request<ChangedRecord>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/records`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * One record.
   * The record as it is now, with the `version` that a change of it may name; its `ETag` does for that, too. 404 also for a record of a name that the caller does not see. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/records/{recordId}`
   */
  getRecord(id: string, recordId: string, options?: RequestOptions) {
    return this.request<DnsRecord>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/records/${encodeURIComponent(recordId)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Change fields of a record; those that are missing stay.
   * Needs the right to write at the old and at the new name. A record that was changed meanwhile is 409 with `version` in the body and 412 with `If-Match`, which also takes the `version`; it is in `current`. Fields that are not sent are not judged. Permission of a personal token: `records:write`.
   *
   * `PUT /api/v1/domains/{id}/records/{recordId}`
   */
  updateRecord(
    id: string,
    recordId: string,
    body: UpdateRecord,
    options?: RequestOptions,
  ) {
    return this.request<ChangedRecord>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}/records/${encodeURIComponent(recordId)}`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Delete a record at the provider.
   * Needs the right to write at that name. With `If-Match`, which also takes the `version`, a record that was changed meanwhile is 412. The last NS at the apex can't be deleted. `Change-Id` names the change. Permission of a personal token: `records:write`.
   *
   * `DELETE /api/v1/domains/{id}/records/{recordId}`
   */
  deleteRecord(id: string, recordId: string, options?: RequestOptions) {
    return this.request<void>(
      "DELETE",
      `/api/v1/domains/${encodeURIComponent(id)}/records/${encodeURIComponent(recordId)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Create up to 100 records; each entry succeeds or fails on its own.
   * Needs the right to write in the domain. The answer is 200 also when entries fail: `results` has one for each, in their order, with `error` where it failed. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/records/bulk`
   */
  createRecords(
    id: string,
    body: {
      /**
       * @maxItems 100
       * @minItems 1
       */
      records: any[];
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      results: {
        success: boolean;
        recordType: string | null;
        name: string | null;
        /**
         * UUIDv7
         * @format uuid
         */
        id?: string;
        /** Why it was not done */
        error?: string;
        /** Allowed, and most likely not meant */
        warnings?: string[];
      }[];
      /** Entries submitted */
      total: number;
      succeeded: number;
      /**
       * The change in the history; null when no entry could be attempted
       * @format uuid
       */
      changeId: string | null;
    }>("POST", `/api/v1/domains/${encodeURIComponent(id)}/records/bulk`, {
      body,
      ...options,
    });
  }
  /**
   * Find records by name, value, address or network over all domains that the caller sees.
   * Of parts of domains only the records that the caller sees. No DNS provider is asked. `cursor` leads through all pages of the same search. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/records/search`
   */
  searchRecords(
    query: {
      /**
       * Part of a host name or of a value, a full name, an address or how one begins, or a network such as `192.0.2.0/24`; up to two characters: the host name itself
       * @minLength 1
       * @maxLength 253
       * @example "192.0.2.10"
       */
      q: string;
      /**
       * Ignored with `cursor`
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 50
       * @example 50
       */
      limit?: number;
      /**
       * `nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`
       * @maxLength 1000
       * @example "WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0"
       */
      cursor?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      records: {
        /**
         * UUIDv7
         * @format uuid
         */
        id: string;
        /**
         * UUIDv7
         * @format uuid
         */
        domainId: string;
        /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
        recordType: RecordType;
        /** Host part, `@` for the apex */
        name: string;
        unicodeName: string;
        /** In canonical form */
        value: string;
        /** Of a TXT whose strings are not the plain ones of 255 bytes; each as a value is written */
        strings?: string[];
        /** The fields of the value, as `GET /api/v1/record-types` describes them; in lists only when asked for */
        data?: RecordData;
        /** Seconds; null: the provider chooses */
        ttl: number | null;
        /** Of MX and SRV */
        priority: number | null;
        proxied: boolean;
        /** Not so: kept without being published */
        enabled: boolean;
        /** For people; not published */
        comment: string;
        /** Where the provider answers with one of several sets, by line, weight or region; null: there is one */
        routing: Routing | null;
        /** `pending`: sent to the provider and not confirmed yet; `failed`: the last change could not be confirmed, a sync tells the truth */
        status: RecordStatus;
        /** Rises with each change; for If-Match */
        version: number;
        /**
         * ISO 8601, UTC
         * @format date-time
         * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
         */
        createdAt: string;
        /**
         * ISO 8601, UTC
         * @format date-time
         * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
         */
        updatedAt: string;
        domainName: string;
      }[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
      /** `cursor` of the next page, which may be empty; null: this was the last */
      nextCursor: string | null;
      /** Not so: there are more than 1,000, of which these are some, and `total` is 1,000 */
      complete: boolean;
    }>("GET", `/api/v1/records/search`, {
      query,
      ...options,
    });
  }
  /**
   * Make the records here what the provider holds.
   * Needs the right to write the whole domain; with `dryRun` to read it. One that would delete more than 30 % of a domain of 10 records or more is 409 `confirmation_required` with the difference, until `force` is set. One sync of a domain at a time (409). Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/{id}/sync`
   */
  syncDomain(
    id: string,
    query?: {
      /**
       * Only answer the difference
       * @default false
       * @example false
       */
      dryRun?: boolean;
      /**
       * Also when it deletes more than 30 % of a domain of 10 records or more
       * @default false
       * @example false
       */
      force?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      /** Records at the provider that were compared */
      synced: number;
      created: number;
      updated: number;
      deleted: number;
      unchanged: number;
      /** Records of types that are not managed here: see listUnmanagedRecords */
      skipped: number;
      dryRun: boolean;
      /** The first 100 of each */
      difference: SyncDifference;
    }>("POST", `/api/v1/domains/${encodeURIComponent(id)}/sync`, {
      query,
      ...options,
    });
  }
  /**
   * Register several zones of a provider configuration and read their records.
   * For the owner of the provider configuration, and administrators. Each zone stands for itself: the answer is 200 also when some fail. A domain whose records could not be read stays registered, with its `domainId` in the result. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/import`
   */
  importDomains(
    body: {
      /**
       * UUIDv7
       * @format uuid
       */
      providerConfigId: string;
      /**
       * @maxItems 100
       * @minItems 1
       * @uniqueItems true
       */
      zones: string[];
      /** By the name in `zones`: which of several zones of that name it is */
      zoneIds?: Record<string, string>;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      results: {
        zone: string;
        success: boolean;
        /**
         * UUIDv7
         * @format uuid
         */
        domainId: string | null;
        synced: number | null;
        /** Records of types that are not managed here */
        unmanaged: number | null;
        error: string | null;
        problem: ToldProblem | null;
      }[];
      total: number;
      succeeded: number;
    }>("POST", `/api/v1/domains/import`, {
      body,
      ...options,
    });
  }
  /**
   * What changes would do, without doing it.
   * For everybody who sees the domain; nothing is changed at the provider. Of few sets the provider is asked for other values, which are a warning (`unknown_siblings`); those of a `set` are stored here, so that the plan shows that they go. Deletions come first, then updates, then creations. What can't be done is in `conflicts`; a change that lacks what its action needs is 400. Permission of a personal token: `records:read`.
   *
   * `POST /api/v1/domains/{id}/records/plan`
   */
  planRecords(id: string, body: RecordChanges, options?: RequestOptions) {
    return this.request<Plan>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/records/plan`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Do all of the changes, or none when a check refuses one.
   * Needs the right to write at all names concerned. What stands against it is 409 with all `conflicts` (403 when a right is missing). With `planId` it does what a kept plan has shown; where that would be something else by now it is 409 `plan_outdated`, with the `plan` of now. More than the provider takes in one call goes in several: when one of them fails, or the service dies in between, part of it is done. Then `changeStatus` is `partial`, `done` of `total` say how much, and `retryChange` plans the rest by `changeId`. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/records/apply`
   */
  applyRecords(id: string, body: AppliedChanges, options?: RequestOptions) {
    return this.request<Plan | AcceptedOperation>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/records/apply`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Records of types that are not managed here, as the last sync saw them.
   * For everybody who sees the domain, of the names that they see. They are never touched, and are as old as the last sync. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/records/unmanaged`
   */
  listUnmanagedRecords(
    id: string,
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 50
       * @example 50
       */
      limit?: number;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      records: {
        name: string;
        recordType: string;
        ttl: number;
        /** In the provider's words */
        value: string;
      }[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
    }>("GET", `/api/v1/domains/${encodeURIComponent(id)}/records/unmanaged`, {
      query,
      ...options,
    });
  }
  /**
   * The records as a BIND zone file.
   * A master file (RFC 1035) of the records that the caller sees; disabled records and those of types that are not managed are comments in it. No DNS host is asked. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/records/export`
   */
  exportZoneFile(id: string, options?: RequestOptions) {
    return this.request<string>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/records/export`,
      {
        ...options,
      },
    );
  }
  /**
   * Plan, and unless dryRun apply, what a zone file asks for.
   * Needs the right to write, with `dryRun` to read. Nothing is done when a check refuses a record; part of it may be done when the provider fails between two calls (`retryChange` plans the rest). `replace` deletes what the file lacks, as far as the caller may change it; a file without records empties no domain (400) unless the plan was kept and is applied. A file with errors is 400, and names their lines; what is not managed is in `skipped`. More than 1,000 changes go on as an operation (202). Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/records/import`
   */
  importZoneFile(
    id: string,
    body: {
      /**
       * A master file (RFC 1035 section 5)
       * @maxLength 5242880
       */
      zonefile: string;
      /**
       * `merge` only adds and updates; `replace` also deletes what the file does not have
       * @default "merge"
       */
      mode?: "merge" | "replace";
      /** @default false */
      dryRun?: boolean;
      /**
       * Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same
       * @default false
       */
      keep?: boolean;
      /**
       * With `dryRun` or `keep`: `records` of the answer has the records of the file as they were read
       * @default false
       */
      listRecords?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<ZoneImport | AcceptedOperation>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/records/import`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Who changed what when, newest first.
   * For everybody who sees the domain, of the names that they see. Of each change the first items; the rest by `GET /api/v1/domains/{id}/changes/{changeId}`. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/changes`
   */
  listChanges(
    id: string,
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 20
       * @example 20
       */
      limit?: number;
      /**
       * `nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`
       * @maxLength 1000
       * @example "WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0"
       */
      cursor?: string;
      /**
       * Changes of records that have or had this name
       * @minLength 1
       * @maxLength 1000
       * @example "www"
       */
      name?: string;
      /**
       * DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597)
       * @example "A"
       */
      type?: RecordType;
      /**
       * User name or id of who did it
       * @minLength 1
       * @maxLength 64
       * @example "ada"
       */
      actor?: string;
      /**
       * Id or name of the personal token it was done with
       * @minLength 1
       * @maxLength 100
       * @example "deploy"
       */
      token?: string;
      /**
       * How the request came in. Protocols (`ddns`, `acme`, `external-dns`, `powerdns-api`, `dns-update`) and the service itself (`schedule`: scheduled tasks; `sync`: automatic sync) are facts. `console`, `cli` and `mcp` are what the client says by the header `Zonekeeper-Client`; `api` is any other client
       * @example "api"
       */
      origin?: Origin;
      /**
       * Begun at this moment or later
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      from?: string;
      /**
       * Begun before this moment
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       * @example "2026-11-21T12:00:00.000Z"
       */
      to?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      changes: Change[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
      /** `cursor` of the next page, which may be empty; null: this was the last */
      nextCursor: string | null;
    }>("GET", `/api/v1/domains/${encodeURIComponent(id)}/changes`, {
      query,
      ...options,
    });
  }
  /**
   * One change with all its items.
   * For everybody who sees the domain, of the names that they see. `outcome` of an item says whether the provider did it. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/changes/{changeId}`
   */
  getChange(
    id: string,
    changeId: string,
    query?: {
      /**
       * With the records that stayed as they were then of the names and types that it touched, at most 1,000 of the first 200
       * @default false
       * @example false
       */
      unchanged?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<Change>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/changes/${encodeURIComponent(changeId)}`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * Undo a change, or say what that would do.
   * Brings each record of the change back to what it was before, as far as the caller sees it. A record that was changed since is a 409: revert the newer change first. With `dryRun` nothing is done and the plan is answered. More than 1,000 changes go on as an operation (202). Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/changes/{changeId}/revert`
   */
  revertChange(
    id: string,
    changeId: string,
    query?: {
      /**
       * Only answer the plan
       * @default false
       * @example false
       */
      dryRun?: boolean;
      /**
       * Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same
       * @default false
       * @example false
       */
      keep?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<Plan | AcceptedOperation>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/changes/${encodeURIComponent(changeId)}/revert`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * Do what a change did not do, or say what that would do.
   * For a change that is `partial` or `failed`: does the items that failed, as far as the caller sees them. What is as wanted by now is left out; a record that was changed otherwise since is a 409. With `dryRun` nothing is done and the plan is answered. More than 1,000 changes go on as an operation (202). Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/changes/{changeId}/retry`
   */
  retryChange(
    id: string,
    changeId: string,
    query?: {
      /**
       * Only answer the plan
       * @default false
       * @example false
       */
      dryRun?: boolean;
      /**
       * Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same
       * @default false
       * @example false
       */
      keep?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<Plan | AcceptedOperation>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/changes/${encodeURIComponent(changeId)}/retry`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * The plan back to a moment, and with `apply` the deed.
   * Without `apply` only the plan, for everybody who sees the domain; with it needs the right to write. Goes back as far as the domain is registered here, for managed records alone; 409 says what stands against it. More than 1,000 changes go on as an operation (202). Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/domains/{id}/restore`
   */
  restoreRecords(
    id: string,
    body: {
      /**
       * The moment to go back to
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      at: string;
      /**
       * Do it, instead of only answering the plan
       * @default false
       */
      apply?: boolean;
      /**
       * Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same
       * @default false
       */
      keep?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<Plan | AcceptedOperation>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/restore`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Bring the records to another provider, or say what that would do.
   * For the owner of the domain and administrators, with a configuration that they may use. The domain stays where it is. What the provider can't hold is 409 with `conflicts`, of which an answer names the first 100, until `skipRefused` leaves it out; TTLs are brought to the nearest that it takes. NS at the apex and the SOA there stay. Another copy does only what is not there yet. More than 1,000 changes go on as an operation (202). Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/{id}/copy`
   */
  copyDomain(
    id: string,
    body: {
      /**
       * A configuration that the caller may use
       * @format uuid
       */
      providerConfigId: string;
      /**
       * Which of several zones of the name, see `GET /api/v1/provider-configs/{id}/zones`
       * @minLength 1
       * @maxLength 500
       */
      zoneId?: string;
      /**
       * Make the zone where the provider has none of that name
       * @default false
       */
      createZone?: boolean;
      /**
       * `merge` adds and updates, and leaves there what the domain does not have; `replace` deletes that, except NS at the apex
       * @default "merge"
       */
      mode?: CopyMode;
      /**
       * Leave out what the provider can not hold, and do the rest
       * @default false
       */
      skipRefused?: boolean;
      /**
       * Only answer the plan; nothing changes anywhere
       * @default false
       */
      dryRun?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<CopyAnswer | AcceptedOperation>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/copy`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Have the domain served from another provider from now on.
   * For the owner of the domain and administrators, with a configuration that they may use. The domain keeps its history, assignments and settings, and the records their ids. Nothing is changed at any provider. A zone there that does not hold what the domain holds is 409 `confirmation_required` with the first 100 `conflicts`, until `force` is set. Changes that are not settled are 409. The answer says what to set at the registrar. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/{id}/switch`
   */
  switchDomain(
    id: string,
    body: {
      /**
       * A configuration that the caller may use
       * @format uuid
       */
      providerConfigId: string;
      /**
       * Which of several zones of the name, see `GET /api/v1/provider-configs/{id}/zones`
       * @minLength 1
       * @maxLength 500
       */
      zoneId?: string;
      /**
       * Also when the zone there lacks records of the domain: they are gone here then
       * @default false
       */
      force?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<SwitchAnswer>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/switch`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * What replacing a value or the addresses of a network would do, over many domains.
   * Only plans, over all domains that the caller sees: what would change in each, and in `blocked` what can't be changed and why. `POST /api/v1/records/replace/apply` does exactly this within the hour. Of plans that are not applied the newest ten are kept. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/records/replace`
   */
  planReplacement(body: ReplaceBody, options?: RequestOptions) {
    return this.request<DomainsPlan>("POST", `/api/v1/records/replace`, {
      body,
      ...options,
    });
  }
  /**
   * Do what a replacement has planned, as an operation.
   * For who planned it, by the same token if by one; each plan once (409). Each domain is one change, which can be reverted by itself; what one refuses keeps no other from being done. A domain that was changed after the plan is left as it is. The plan says what became of each domain. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/records/replace/apply`
   */
  applyReplacement(body: PlanToApply, options?: RequestOptions) {
    return this.request<AcceptedOperation>(
      "POST",
      `/api/v1/records/replace/apply`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * A plan over many domains, and what became of it.
   * The caller's own; by a token those that it made. Kept for an hour, and for 30 days once it was applied. Domains that the caller does not see any more are left out. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/records/plans/{id}`
   */
  getDomainsPlan(
    id: string,
    query?: {
      /**
       * Domains of the plan in one answer
       * @min 1
       * @max 200
       * @default 50
       * @example 50
       */
      limit?: number;
      /**
       * `nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`
       * @maxLength 1000
       * @example "WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0"
       */
      cursor?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<DomainsPlan>(
      "GET",
      `/api/v1/records/plans/${encodeURIComponent(id)}`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * Revert all record changes of an operation, or plan to.
   * For the user who started the operation, and administrators, once it has ended. One plan reverts its record changes in every domain, and is applied as an operation of its own, which can be reverted in turn. `dryRun` only returns the plan and keeps it; apply it with its `planId`. An RRset that was changed since then is left alone and listed in `blocked` (`changed_since`), as is a record that the caller may not write. Records and domains that the caller cannot see are only counted (`records_hidden`, `hidden`). In these cases the operation ends `partly` or `failed`. With nothing left to revert it is a 409 (`nothing_to_undo`). Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/operations/{id}/revert`
   */
  revertOperation(
    id: string,
    body: OperationToRevert,
    query?: {
      /**
       * Only return the plan, which is kept for an hour
       * @default false
       * @example false
       */
      dryRun?: boolean;
      /**
       * Domains of the plan in one answer
       * @min 1
       * @max 200
       * @default 50
       * @example 50
       */
      limit?: number;
    },
    options?: RequestOptions,
  ) {
    return this.request<DomainsPlan | AcceptedOperation>(
      "POST",
      `/api/v1/operations/${encodeURIComponent(id)}/revert`,
      {
        body,
        query,
        ...options,
      },
    );
  }
  /**
   * The zone as a file.
   * A master file, or octoDNS' YAML, of the records that the caller sees; what the form can't say (disabled records, those of sets that are answered by line or weight or not managed here) is in comments, comments of records are not in it. The same records are always the same text. `ETag` is for `If-Match` of `PUT`. Permission of a personal token: `records:read`.
   *
   * `GET /api/v1/domains/{id}/zone`
   */
  getZone(
    id: string,
    query?: {
      /**
       * A master file (RFC 1035 section 5), or octoDNS' YAML; missing: by `Accept`, or by the `Content-Type` of a body
       * @example "bind"
       */
      format?: ZoneFormat;
    },
    options?: RequestOptions,
  ) {
    return this.request<string>(
      "GET",
      `/api/v1/domains/${encodeURIComponent(id)}/zone`,
      {
        query,
        ...options,
      },
    );
  }
  /**
   * Plan, and with `apply` do, what makes the zone what a file says.
   * As an import that replaces: what the file lacks is deleted, also what only the DNS host holds, which is read for it, as far as the caller may change it, all or nothing; without NS at the apex it says nothing of them. The same again is an empty plan. A file with errors is 400, and names their lines. More than 1,000 changes go on as an operation (202). Ignored when sent back: `plan`, `skipped`, `records`. Permission of a personal token: `records:write`.
   *
   * `PUT /api/v1/domains/{id}/zone`
   */
  putZone(
    id: string,
    body: string,
    query?: {
      /**
       * A master file (RFC 1035 section 5), or octoDNS' YAML; missing: by `Accept`, or by the `Content-Type` of a body
       * @example "bind"
       */
      format?: ZoneFormat;
      /**
       * Do it, instead of only answering the plan
       * @default false
       * @example false
       */
      apply?: boolean;
      /**
       * Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same
       * @default false
       * @example false
       */
      keep?: boolean;
    },
    options?: RequestOptions,
  ) {
    return this.request<ZoneImport | AcceptedOperation>(
      "PUT",
      `/api/v1/domains/${encodeURIComponent(id)}/zone`,
      {
        body,
        type: "text/dns",
        query,
        ...options,
      },
    );
  }
  /**
   * Templates: built-in ones, the own ones, and those for all.
   * Built-in ones first, the others by name. A user has at most 100. Permission of a personal token: `templates:read`.
   *
   * `GET /api/v1/templates`
   */
  listTemplates(options?: RequestOptions) {
    return this.request<{
      templates: Template[];
    }>("GET", `/api/v1/templates`, {
      ...options,
    });
  }
  /**
   * Make a template of the own, or as administrator one for all.
   * A record in which a variable without a value stands is left out, so parts of a template can be optional. Permission of a personal token: `templates:write`.
   *
   * `POST /api/v1/templates`
   */
  createTemplate(body: TemplateBody, options?: RequestOptions) {
    return this.request<Template>("POST", `/api/v1/templates`, {
      body,
      ...options,
    });
  }
  /**
   * One template.
   * By its id, or the key of a built-in one; those of others are 404 unless they are for all. Permission of a personal token: `templates:read`.
   *
   * `GET /api/v1/templates/{id}`
   */
  getTemplate(id: string, options?: RequestOptions) {
    return this.request<Template>(
      "GET",
      `/api/v1/templates/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Replace what a template says.
   * For its owner, and of those for all for administrators; built-in ones are 403. What was applied stays as it is. Permission of a personal token: `templates:write`.
   *
   * `PUT /api/v1/templates/{id}`
   */
  updateTemplate(id: string, body: TemplateBody, options?: RequestOptions) {
    return this.request<Template>(
      "PUT",
      `/api/v1/templates/${encodeURIComponent(id)}`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Remove a template.
   * For its owner, and of those for all for administrators. What was applied stays as it is. Permission of a personal token: `templates:write`.
   *
   * `DELETE /api/v1/templates/{id}`
   */
  deleteTemplate(id: string, options?: RequestOptions) {
    return this.request<void>(
      "DELETE",
      `/api/v1/templates/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * What a template would do in one or many domains.
   * Only plans. In each domain all of it can be done or nothing is; `blocked` says what stands against it. Records that are there already stay; an SPF record is merged into the one that is there. `POST /api/v1/templates/{id}/apply` does exactly this within the hour. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/templates/{id}/plan`
   */
  planTemplate(id: string, body: TemplatePlanBody, options?: RequestOptions) {
    return this.request<DomainsPlan>(
      "POST",
      `/api/v1/templates/${encodeURIComponent(id)}/plan`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Do what the plan of a template has shown, as an operation.
   * For who planned it, by the same token if by one; each plan once (409). Each domain is one change, which can be reverted by itself. `GET /api/v1/records/plans/{id}` says what became of each. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/templates/{id}/apply`
   */
  applyTemplate(id: string, body: PlanToApply, options?: RequestOptions) {
    return this.request<AcceptedOperation>(
      "POST",
      `/api/v1/templates/${encodeURIComponent(id)}/apply`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Put the TXT record of an ACME challenge.
   * Answers when the DNS host has it; other values of the name stay, and one that is there already is fine. Below a delegation (NS) or a DNAME of the zone it would not be answered: 409 with the reason hidden_by_delegation or hidden_by_dname. At names whose first label is `_acme-challenge`; CNAMEs that are known here are followed, up to 8, and what they lead to may be named itself. Ignores unknown parameters and members: ACME clients may send more than the protocol of httpreq names. Permission of a personal token: `acme:challenge`.
   *
   * `POST /api/v1/acme/present`
   */
  presentChallenge(body: AcmeChallengeInput, options?: RequestOptions) {
    return this.request<AcmeChallenge>("POST", `/api/v1/acme/present`, {
      body,
      ...options,
    });
  }
  /**
   * Take the TXT record of an ACME challenge away.
   * Only the one with that value; when it is gone already, that is fine. At names whose first label is `_acme-challenge`; CNAMEs that are known here are followed, up to 8, and what they lead to may be named itself. Ignores unknown parameters and members: ACME clients may send more than the protocol of httpreq names. Permission of a personal token: `acme:challenge`.
   *
   * `POST /api/v1/acme/cleanup`
   */
  cleanUpChallenge(body: AcmeChallengeInput, options?: RequestOptions) {
    return this.request<AcmeChallenge>("POST", `/api/v1/acme/cleanup`, {
      body,
      ...options,
    });
  }
  /**
   * A name for challenges, and credentials for it alone.
   * The credentials end with the token by which they were made, and reach no further than it; made after a sign-in they end with that session. Without a name in the path the token must reach one domain only. At most 1,000 of a user. Ignores unknown parameters and members: clients of acme-dns may send more than its protocol names. Permission of a personal token: `acme:challenge`.
   *
   * `POST /api/v1/acme-dns/register`
   */
  acmeDnsRegister(body?: AcmeDnsRegistrationInput, options?: RequestOptions) {
    return this.request<AcmeDnsAccount>("POST", `/api/v1/acme-dns/register`, {
      body,
      ...options,
    });
  }
  /**
   * Set a value at the name of a registration.
   * The value before it stays beside it, and none else. Answers when the DNS host has it. What the user and the token may do is judged as of now. `error` of a problem says what acme-dns would. Ignores unknown parameters and members: clients of acme-dns may send more than its protocol names.
   *
   * `POST /api/v1/acme-dns/update`
   */
  acmeDnsUpdate(body: AcmeDnsUpdate, options?: RequestOptions) {
    return this.request<AcmeDnsValue>("POST", `/api/v1/acme-dns/update`, {
      body,
      ...options,
    });
  }
  /**
   * Whether the service answers.
   * As acme-dns has it. Looks at nothing but itself. Ignores unknown parameters and members: clients of acme-dns may send more than its protocol names.
   *
   * `GET /api/v1/acme-dns/health`
   */
  acmeDnsHealth(options?: RequestOptions) {
    return this.request<object>("GET", `/api/v1/acme-dns/health`, {
      ...options,
    });
  }
  /**
   * A name for challenges below this one, and credentials for it alone.
   * The credentials end with the token by which they were made, and reach no further than it; made after a sign-in they end with that session. Without a name in the path the token must reach one domain only. At most 1,000 of a user. Ignores unknown parameters and members: clients of acme-dns may send more than its protocol names. Permission of a personal token: `acme:challenge`.
   *
   * `POST /api/v1/acme-dns/{domain}/register`
   */
  acmeDnsRegisterBelow(
    domain: string,
    body?: AcmeDnsRegistrationInput,
    options?: RequestOptions,
  ) {
    return this.request<AcmeDnsAccount>(
      "POST",
      `/api/v1/acme-dns/${encodeURIComponent(domain)}/register`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Set a value at the name of a registration.
   * The value before it stays beside it, and none else. Answers when the DNS host has it. What the user and the token may do is judged as of now. `error` of a problem says what acme-dns would. Ignores unknown parameters and members: clients of acme-dns may send more than its protocol names.
   *
   * `POST /api/v1/acme-dns/{domain}/update`
   */
  acmeDnsUpdateBelow(
    domain: string,
    body: AcmeDnsUpdate,
    options?: RequestOptions,
  ) {
    return this.request<AcmeDnsValue>(
      "POST",
      `/api/v1/acme-dns/${encodeURIComponent(domain)}/update`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Whether the service answers.
   * As acme-dns has it. Looks at nothing but itself. Ignores unknown parameters and members: clients of acme-dns may send more than its protocol names.
   *
   * `GET /api/v1/acme-dns/{domain}/health`
   */
  acmeDnsHealthBelow(domain: string, options?: RequestOptions) {
    return this.request<object>(
      "GET",
      `/api/v1/acme-dns/${encodeURIComponent(domain)}/health`,
      {
        ...options,
      },
    );
  }
  /**
   * The own registrations for clients of acme-dns.
   * Without their passwords. A token sees those that were made by it. Permission of a personal token: `acme:challenge`.
   *
   * `GET /api/v1/acme/registrations`
   */
  listAcmeRegistrations(options?: RequestOptions) {
    return this.request<AcmeDnsRegistrationList>(
      "GET",
      `/api/v1/acme/registrations`,
      {
        ...options,
      },
    );
  }
  /**
   * End a registration, and delete its TXT records.
   * Its credentials count no more from then on, also when the DNS host fails to delete the records, which the answer says. A token ends those that were made by it. Permission of a personal token: `acme:challenge`.
   *
   * `DELETE /api/v1/acme/registrations/{id}`
   */
  endAcmeRegistration(id: string, options?: RequestOptions) {
    return this.request<void>(
      "DELETE",
      `/api/v1/acme/registrations/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * The names that external-dns is to look after.
   * Those that the token may write. With none it is 403, as an empty filter would mean all names. Ignores unknown parameters and members: newer versions of external-dns send more. Permission of a personal token: `records:write`.
   *
   * `GET /api/v1/external-dns`
   */
  negotiateExternalDns(options?: RequestOptions) {
    return this.request<{
      include: string[];
    }>("GET", `/api/v1/external-dns`, {
      ...options,
    });
  }
  /**
   * The records, as endpoints of external-dns.
   * All that are served in domains of which the token may write some, as it sees them: one endpoint for each name and type. Sets that are answered by line or weight are not among them. At most 5,000 domains and 100,000 records. Ignores unknown parameters and members: newer versions of external-dns send more. Permission of a personal token: `records:write`.
   *
   * `GET /api/v1/external-dns/records`
   */
  getExternalDnsRecords(options?: RequestOptions) {
    return this.request<ExternalDnsEndpoint[]>(
      "GET",
      `/api/v1/external-dns/records`,
      {
        ...options,
      },
    );
  }
  /**
   * Make the changes that external-dns has planned.
   * Each domain in one change; a name that can not be changed is left out with its TXT record, and all others are done. 500 `changes_failed` names what was not done in `failures`; the same again does only that. Values that the change does not name stay. Ignores unknown parameters and members: newer versions of external-dns send more. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/external-dns/records`
   */
  applyExternalDnsChanges(
    body: {
      create?: ExternalDnsWishes;
      updateOld?: ExternalDnsWishes;
      updateNew?: ExternalDnsWishes;
      delete?: ExternalDnsWishes;
      Create?: ExternalDnsWishes;
      UpdateOld?: ExternalDnsWishes;
      UpdateNew?: ExternalDnsWishes;
      Delete?: ExternalDnsWishes;
    },
    options?: RequestOptions,
  ) {
    return this.request<void>("POST", `/api/v1/external-dns/records`, {
      body,
      ...options,
    });
  }
  /**
   * Endpoints as they will be read once they are stored.
   * Values in their canonical form, TTLs that the DNS host takes; without set identifiers, and of what is specific to providers only whether the name is proxied. Nothing is changed. Ignores unknown parameters and members: newer versions of external-dns send more. Permission of a personal token: `records:write`.
   *
   * `POST /api/v1/external-dns/adjustendpoints`
   */
  adjustExternalDnsEndpoints(
    body: ExternalDnsEndpoint[],
    options?: RequestOptions,
  ) {
    return this.request<ExternalDnsEndpoint[]>(
      "POST",
      `/api/v1/external-dns/adjustendpoints`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Whether the webhook answers.
   * As `/healthz` of the service: for a probe. Open to anybody and not limited. Ignores unknown parameters and members: newer versions of external-dns send more.
   *
   * `GET /api/v1/external-dns/healthz`
   */
  getExternalDnsHealth(options?: RequestOptions) {
    return this.request<{
      status: string;
    }>("GET", `/api/v1/external-dns/healthz`, {
      ...options,
    });
  }
  /**
   * Assignments, newest first: all for administrators, else the own and those of own domains.
   * Also those that have ended, for 90 days. Filters add up. Permission of a personal token: `assignments:read`.
   *
   * `GET /api/v1/assignments`
   */
  listAssignments(
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 20
       * @example 20
       */
      limit?: number;
      /**
       * UUIDv7
       * @format uuid
       * @example "0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10"
       */
      userId?: string;
      /**
       * UUIDv7
       * @format uuid
       * @example "0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10"
       */
      domainId?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      assignments: Assignment[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
    }>("GET", `/api/v1/assignments`, {
      query,
      ...options,
    });
  }
  /**
   * Give a user rights on a domain or on names of it; for administrators and the owner.
   * The user is named by `userId` or `username`, and is told. 409 for the owner of the domain, and when the user has an assignment of the same names: change that one. Permission of a personal token: `assignments:write`.
   *
   * `POST /api/v1/assignments`
   */
  createAssignment(
    body: {
      /**
       * Who gets it; this or `username`
       * @format uuid
       */
      userId?: string;
      /**
       * @minLength 1
       * @maxLength 100
       */
      username?: string;
      /**
       * UUIDv7
       * @format uuid
       */
      domainId: string;
      /**
       * `*` the whole domain with its apex, `@` the apex, `app` that name, `*.dev` every name below dev but not dev itself; missing: the whole domain
       * @minLength 1
       * @maxLength 253
       */
      subdomainPattern?: string | null;
      /** `write` includes `read` */
      permission: AssignmentPermission;
      /**
       * What may be changed; null: all types. All types are seen. NS, DNAME, DS, CDS, CDNSKEY and CSYNC need rights on the name and everything below it (`app` and `*.app`); at the apex only the owner of the domain and administrators change them
       * @maxItems 64
       * @minItems 1
       * @uniqueItems true
       */
      recordTypes?: RecordType[] | null;
      /**
       * From then on it no longer counts
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt?: string | null;
    },
    options?: RequestOptions,
  ) {
    return this.request<Assignment>("POST", `/api/v1/assignments`, {
      body,
      ...options,
    });
  }
  /**
   * One assignment.
   * For who has it, for the owner of the domain and for administrators; for others it is 404. Permission of a personal token: `assignments:read`.
   *
   * `GET /api/v1/assignments/{id}`
   */
  getAssignment(id: string, options?: RequestOptions) {
    return this.request<Assignment>(
      "GET",
      `/api/v1/assignments/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Change permission, record types or end; what is missing stays.
   * For the owner of the domain and administrators; in force on the next request. User, domain and names can't change. Permission of a personal token: `assignments:write`.
   *
   * `PUT /api/v1/assignments/{id}`
   */
  updateAssignment(
    id: string,
    body: {
      /**
       * Can not change
       * @format uuid
       */
      userId?: string;
      /**
       * Can not change
       * @format uuid
       */
      domainId?: string;
      /**
       * Can not change
       * @maxLength 253
       */
      subdomainPattern?: string;
      /** `write` includes `read` */
      permission?: AssignmentPermission;
      /**
       * What may be changed; null: all types. All types are seen. NS, DNAME, DS, CDS, CDNSKEY and CSYNC need rights on the name and everything below it (`app` and `*.app`); at the apex only the owner of the domain and administrators change them
       * @maxItems 64
       * @minItems 1
       * @uniqueItems true
       */
      recordTypes?: RecordType[] | null;
      /**
       * From then on it no longer counts
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt?: string | null;
    },
    options?: RequestOptions,
  ) {
    return this.request<Assignment>(
      "PUT",
      `/api/v1/assignments/${encodeURIComponent(id)}`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Take the rights back, or give the own ones up, at once.
   * For the owner of the domain, administrators, and the user who has it. The user, or where they leave themselves the owner, is notified; the user no longer sees the domain unless by other rights. Permission of a personal token: `assignments:write`.
   *
   * `DELETE /api/v1/assignments/{id}`
   */
  deleteAssignment(id: string, options?: RequestOptions) {
    return this.request<void>(
      "DELETE",
      `/api/v1/assignments/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Requests for assignments, newest first: all for administrators, else the own.
   * Also those that are decided. `status=pending` are those that wait. Permission of a personal token: `assignments:read`.
   *
   * `GET /api/v1/assignments/requests`
   */
  listAssignmentRequests(
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 20
       * @example 20
       */
      limit?: number;
      /** @example "pending" */
      status?: AssignmentRequestStatus;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      requests: AssignmentRequest[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
    }>("GET", `/api/v1/assignments/requests`, {
      query,
      ...options,
    });
  }
  /**
   * Ask the administrators for rights on a domain or on names of it.
   * For members; administrators have all rights (409). A domain is named by its name or id, also one that the caller does not see. 409 when they have the rights already, or a request for the same is open. Permission of a personal token: `assignments:write`.
   *
   * `POST /api/v1/assignments/requests`
   */
  requestAssignment(
    body: {
      /**
       * Name or id of the domain
       * @minLength 1
       * @maxLength 1000
       */
      domain: string;
      /**
       * `*` the whole domain with its apex, `@` the apex, `app` that name, `*.dev` every name below dev but not dev itself; missing: the whole domain
       * @minLength 1
       * @maxLength 253
       */
      subdomainPattern?: string | null;
      /** `write` includes `read` */
      permission: AssignmentPermission;
      /**
       * @minLength 1
       * @maxLength 1000
       * @pattern \S
       */
      reason: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<AssignmentRequest>(
      "POST",
      `/api/v1/assignments/requests`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * One request.
   * For who asked and for administrators; for others it is 404. Permission of a personal token: `assignments:read`.
   *
   * `GET /api/v1/assignments/requests/{id}`
   */
  getAssignmentRequest(id: string, options?: RequestOptions) {
    return this.request<AssignmentRequest>(
      "GET",
      `/api/v1/assignments/requests/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Give what was asked for, or less; it replaces what the user had of the same names.
   * For administrators. Less than what was asked for may be given, more is 400. Of several who decide at the same time one does, the others get 409. Who asked is told. Permission of a personal token: `assignments:write`.
   *
   * `POST /api/v1/assignments/requests/{id}/approve`
   */
  approveAssignmentRequest(
    id: string,
    body?: {
      /**
       * Within what was asked for
       * @minLength 1
       * @maxLength 253
       */
      subdomainPattern?: string;
      /** `write` includes `read` */
      permission?: AssignmentPermission;
      /**
       * What may be changed; null: all types. All types are seen. NS, DNAME, DS, CDS, CDNSKEY and CSYNC need rights on the name and everything below it (`app` and `*.app`); at the apex only the owner of the domain and administrators change them
       * @maxItems 64
       * @minItems 1
       * @uniqueItems true
       */
      recordTypes?: RecordType[] | null;
      /**
       * From then on it no longer counts
       * @format date-time
       * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
       */
      expiresAt?: string | null;
    },
    options?: RequestOptions,
  ) {
    return this.request<AssignmentRequest>(
      "POST",
      `/api/v1/assignments/requests/${encodeURIComponent(id)}/approve`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Refuse a request, with the reason.
   * For administrators. The reason is told to who asked. A request that is decided can't be decided again (409). Permission of a personal token: `assignments:write`.
   *
   * `POST /api/v1/assignments/requests/{id}/reject`
   */
  rejectAssignmentRequest(
    id: string,
    body: {
      /**
       * @minLength 1
       * @maxLength 1000
       * @pattern \S
       */
      reason: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<AssignmentRequest>(
      "POST",
      `/api/v1/assignments/requests/${encodeURIComponent(id)}/reject`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Take the own request back.
   * For who asked, while nobody has decided (409). Permission of a personal token: `assignments:write`.
   *
   * `POST /api/v1/assignments/requests/{id}/cancel`
   */
  cancelAssignmentRequest(id: string, options?: RequestOptions) {
    return this.request<AssignmentRequest>(
      "POST",
      `/api/v1/assignments/requests/${encodeURIComponent(id)}/cancel`,
      {
        ...options,
      },
    );
  }
  /**
   * Give a domain to another user; for its owner and administrators.
   * By its owner it is offered (202): the other user owns it once they accept, within 7 days. One offer of a domain is pending at a time (409 `transfer_pending`). By an administrator it is given at once (204), and a pending offer is withdrawn. The new owner has all rights, and who had it keeps none but those of assignments. The provider configuration stays whose it is. Both are notified. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/{id}/transfer`
   */
  transferDomain(
    id: string,
    body: {
      /**
       * The new owner; this or `username`
       * @format uuid
       */
      userId?: string;
      /**
       * @minLength 1
       * @maxLength 100
       */
      username?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<DomainTransfer | void>(
      "POST",
      `/api/v1/domains/${encodeURIComponent(id)}/transfer`,
      {
        body,
        ...options,
      },
    );
  }
  /**
   * Offered transfers, newest first: all for administrators, else those given or received.
   * Also those that have ended, for 90 days. `status=pending` are those that wait. Filters add up. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/transfers`
   */
  listDomainTransfers(
    query?: {
      /**
       * @min 1
       * @max 1000000
       * @default 1
       * @example 1
       */
      page?: number;
      /**
       * @min 1
       * @max 200
       * @default 20
       * @example 20
       */
      limit?: number;
      /**
       * Ended once it is not `pending`; `withdrawn` also when the domain came to another owner in the meantime
       * @example "pending"
       */
      status?: DomainTransferStatus;
      /**
       * UUIDv7
       * @format uuid
       * @example "0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10"
       */
      domainId?: string;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      transfers: DomainTransfer[];
      /** Rows that match, on all pages */
      total: number;
      page: number;
      limit: number;
    }>("GET", `/api/v1/domains/transfers`, {
      query,
      ...options,
    });
  }
  /**
   * One offered transfer.
   * For who offers and who receives it, and for administrators; for others it is 404. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/domains/transfers/{id}`
   */
  getDomainTransfer(id: string, options?: RequestOptions) {
    return this.request<DomainTransfer>(
      "GET",
      `/api/v1/domains/transfers/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Take an offered domain.
   * For its receiver, who from then on has all rights on it. 409 `transfer_ended` when the offer is no longer pending. Both are notified. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/transfers/{id}/accept`
   */
  acceptDomainTransfer(id: string, options?: RequestOptions) {
    return this.request<DomainTransfer>(
      "POST",
      `/api/v1/domains/transfers/${encodeURIComponent(id)}/accept`,
      {
        ...options,
      },
    );
  }
  /**
   * Refuse an offered domain.
   * For its receiver. 409 `transfer_ended` when the offer is no longer pending. Both are notified. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/transfers/{id}/decline`
   */
  declineDomainTransfer(id: string, options?: RequestOptions) {
    return this.request<DomainTransfer>(
      "POST",
      `/api/v1/domains/transfers/${encodeURIComponent(id)}/decline`,
      {
        ...options,
      },
    );
  }
  /**
   * Take the offer of a domain back.
   * For who offered it and administrators. 409 `transfer_ended` when the offer is no longer pending. Both are notified. Permission of a personal token: `domains:write`.
   *
   * `POST /api/v1/domains/transfers/{id}/withdraw`
   */
  withdrawDomainTransfer(id: string, options?: RequestOptions) {
    return this.request<DomainTransfer>(
      "POST",
      `/api/v1/domains/transfers/${encodeURIComponent(id)}/withdraw`,
      {
        ...options,
      },
    );
  }
  /**
   * The newest messages to the signed-in user.
   * At most the newest 200 are kept of each user. `unreadCount` is of all of them, whatever the filter. Permission of a personal token: `notifications:read`.
   *
   * `GET /api/v1/notifications`
   */
  listNotifications(
    query?: {
      /**
       * Only the unread ones, or only the read ones
       * @example true
       */
      unread?: boolean;
      /**
       * @min 1
       * @max 200
       * @default 200
       * @example 50
       */
      limit?: number;
    },
    options?: RequestOptions,
  ) {
    return this.request<{
      /** Newest first */
      notifications: Notification[];
      /** Of all, whatever the filter */
      unreadCount: number;
    }>("GET", `/api/v1/notifications`, {
      query,
      ...options,
    });
  }
  /**
   * Delete all messages of the signed-in user.
   * Also the unread ones, for good. Messages of other users stay. Permission of a personal token: `notifications:write`.
   *
   * `DELETE /api/v1/notifications`
   */
  deleteAllNotifications(options?: RequestOptions) {
    return this.request<void>("DELETE", `/api/v1/notifications`, {
      ...options,
    });
  }
  /**
   * Mark one message read.
   * A message that is read already stays so. Of another user it is 404. Permission of a personal token: `notifications:write`.
   *
   * `POST /api/v1/notifications/{id}/read`
   */
  markNotificationRead(id: string, options?: RequestOptions) {
    return this.request<void>(
      "POST",
      `/api/v1/notifications/${encodeURIComponent(id)}/read`,
      {
        ...options,
      },
    );
  }
  /**
   * Mark all messages read.
   * Of the signed-in user. One that comes meanwhile may stay unread. Permission of a personal token: `notifications:write`.
   *
   * `POST /api/v1/notifications/read-all`
   */
  markAllNotificationsRead(options?: RequestOptions) {
    return this.request<void>("POST", `/api/v1/notifications/read-all`, {
      ...options,
    });
  }
  /**
   * Delete one message.
   * For good. Of another user it is 404. Permission of a personal token: `notifications:write`.
   *
   * `DELETE /api/v1/notifications/{id}`
   */
  deleteNotification(id: string, options?: RequestOptions) {
    return this.request<void>(
      "DELETE",
      `/api/v1/notifications/${encodeURIComponent(id)}`,
      {
        ...options,
      },
    );
  }
  /**
   * Domains by status, the next that expire, records that are not managed, and what failed last.
   * Of what the caller sees; failures of channels are for administrators. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/dashboard`
   */
  getDashboard(options?: RequestOptions) {
    return this.request<{
      domains: {
        total: number;
        active: number;
        expiring: number;
        expired: number;
      };
      /** At most 10, the soonest first */
      nextExpiries: {
        /**
         * UUIDv7
         * @format uuid
         */
        domainId: string;
        domainName: string;
        /** As people read it */
        unicodeName: string;
        /**
         * ISO 8601, UTC
         * @format date-time
         * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
         */
        expiresAt: string;
        /** Whole days */
        daysLeft: number;
        /** Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date */
        status: DomainStatus;
      }[];
      /** Records of types that are not managed here: see listUnmanagedRecords */
      unmanaged: {
        /** In all domains */
        total: number;
        /** At most 10, those with the most first */
        domains: {
          /**
           * UUIDv7
           * @format uuid
           */
          domainId: string;
          domainName: string;
          count: number;
        }[];
      };
      /** At most 10 of the last 30 days, the newest first */
      lastFailures: {
        /** A sync with the provider, a change of records that was not done or only in part, or a message by a channel */
        kind: "sync" | "change" | "channel";
        /**
         * Of the domain, the change or the channel configuration
         * @format uuid
         */
        id: string;
        /**
         * UUIDv7
         * @format uuid
         */
        domainId: string | null;
        /** Of the domain or the channel */
        name: string;
        error: string;
        /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
        errorCode: string | null;
        /** What the words of `error` name, such as a status */
        errorParams: Record<string, any> | null;
        /**
         * ISO 8601, UTC
         * @format date-time
         * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
         */
        at: string;
      }[];
    }>("GET", `/api/v1/dashboard`, {
      ...options,
    });
  }
  /**
   * How many domains expire in each week of the next twelve months.
   * Of what the caller sees, by status: the data of a timeline. Domains without a date, and those that expire later, are in none of the weeks. Permission of a personal token: `domains:read`.
   *
   * `GET /api/v1/dashboard/expiries`
   */
  getExpiries(options?: RequestOptions) {
    return this.request<{
      /** 53 of them, this one first */
      weeks: {
        /**
         * Its Monday, 00:00 UTC
         * @format date-time
         * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
         */
        week: string;
        active: number;
        expiring: number;
        expired: number;
      }[];
      /** Domains that expired before the first of these weeks */
      overdue: number;
      /** The longest lead time of a reminder of these domains, in days: who expires within it expires soon */
      leadDays: number;
    }>("GET", `/api/v1/dashboard/expiries`, {
      ...options,
    });
  }
}
