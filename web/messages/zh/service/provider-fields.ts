import type { FieldTable } from '../../fields.ts'

/** Exceptions to the common field names, and where credentials come from. */
export const providerFields: FieldTable['of'] = {
  powerdns: {
    apiUrl: { help: 'PowerDNS 的 Web 服务器地址，或其前面代理的地址。' },
    apiKey: { help: 'PowerDNS 的 api-key 设置。' },
    serverId: {
      title: '服务器',
      help: 'PowerDNS 自身始终为“localhost”；只有管理多台服务器的代理才有其他值。',
    },
    proxyUser: { title: '代理的用户名', help: 'PowerDNS 前面的代理要求密码时填写（RFC 7617）。' },
    proxyPassword: { title: '代理的密码', help: '与用户名配对。' },
  },
  rfc2136: {
    server: { help: '区域主服务器的名称或地址。' },
    port: { help: 'DNS over TCP 的端口。' },
    keyName: { title: '密钥名称', help: '与服务器配置中用于区域传输和更新的密钥一致。' },
    secret: { title: '密钥内容', help: 'base64 形式，即 tsig-keygen 或 keymgr 输出的内容。' },
    zones: { title: '区域', help: '可供选择的名称，以空格或逗号分隔：服务器不会列出其区域。' },
    catalog: { title: '目录区域', help: '列出其他区域的区域（RFC 9432），如服务器有的话。' },
  },
  cloudflare: {
    apiToken: {
      help: '在控制台的 My Profile → API Tokens 或 Manage Account → Account API Tokens 中创建；不是 Global API Key。',
    },
    accountId: { help: '只显示该账户的区域，并在其中创建新区域；创建区域时需要。' },
  },
  desec: { apiToken: { help: '在网页的 Token Management 中创建；只显示一次。' } },
  digitalocean: { apiToken: { help: '在控制面板的 API → Tokens 中创建；只显示一次。' } },
  hetzner: {
    apiToken: { help: '在 Hetzner Console 中创建：拥有区域的项目 → Security → API tokens；只显示一次。' },
  },
  dnspod: {
    secretId: { title: 'SecretId', help: '在控制台的“访问管理 → 访问密钥 → API 密钥管理”中创建。' },
    secretKey: { title: 'SecretKey', help: '只在创建时显示一次；不是 DNSPod Token。' },
  },
  gandi: {
    apiToken: {
      title: '个人访问令牌',
      help: '在拥有域名的组织中创建：Sharing → Personal Access Token；只显示一次，并在所选日期到期。',
    },
  },
  alidns: {
    accessKeyId: { title: 'AccessKey ID', help: '属于 RAM 用户：RAM 控制台 → 用户 → 创建 AccessKey。' },
    accessKeySecret: { title: 'AccessKey Secret', help: '只在创建 AccessKey 时显示一次。' },
  },
  route53: {
    accessKeyId: { help: '在 AWS 控制台创建：IAM → Users → 用户 → Security credentials → Access keys。' },
    sessionToken: { title: '会话令牌', help: '仅用于会自行到期的临时凭据。' },
    region: { title: '签名区域', help: '仅在与 API 地址所在区域不同时填写；AWS 本身为 us-east-1。' },
  },
  huawei: {
    accessKey: { title: 'Access Key（AK）', help: '在控制台的“我的凭证 → 访问密钥”中创建。' },
    secretKey: { title: 'Secret Key（SK）', help: '在创建密钥时下载一次的文件中。' },
    region: { help: '调用哪个区域的地址，例如 cn-north-4 或 ap-southeast-1；公网域名在各区域相同。' },
  },
  google: {
    serviceAccount: {
      title: '服务账号密钥',
      help: '完整的 JSON 文件，在控制台创建：IAM & Admin → Service Accounts → 账号 → Keys → Add key。',
    },
    project: { title: '项目 ID', help: '拥有区域的项目，仅在与服务账号所在项目不同时填写。' },
  },
  godaddy: {
    apiKey: {
      help: '在 developer.godaddy.com/keys 为 Production 环境创建；OTE 环境的密钥需要另一个 API 地址。',
    },
    apiSecret: { title: 'API Secret', help: '与密钥一起只显示一次。' },
  },
  ovh: {
    applicationKey: { title: 'Application key', help: '与另外两项一起在 eu.api.ovh.com/createToken 创建。' },
    applicationSecret: { title: 'Application secret', help: '只在创建时显示一次。' },
    consumerKey: { title: 'Consumer key', help: '表明是哪个账户、可执行哪些操作以及有效期。' },
  },
  dnsimple: {
    apiToken: {
      title: '账户访问令牌',
      help: '在拥有区域的账户页面的 API & Access 中创建，只显示一次；用户令牌在此无效。',
    },
  },
  gcore: {
    apiToken: {
      title: '永久 API 令牌',
      help: '在客户门户的 Profile → API tokens 中创建，只显示一次，可能会到期。',
    },
  },
  vultr: {
    apiKey: {
      help: '在客户门户的 Account → API 中创建；其中的“Access Control”须允许本服务的地址。',
    },
  },
  azure: {
    tenantId: { title: '租户 ID', help: '目录的 ID：Microsoft Entra ID → 概述。' },
    clientId: { help: '专用于此的应用程序：Microsoft Entra ID → 应用注册 → 新注册。' },
    clientSecret: {
      title: '客户端密码',
      help: '该应用程序“证书和密码 → 新客户端密码”中的值，而不是 ID；会在某日到期。',
    },
    subscriptionId: { title: '订阅 ID', help: '拥有区域的订阅。' },
    resourceGroup: { title: '资源组', help: '资源组的名称；其他资源组的区域需要另建连接。' },
    loginUrl: { title: '登录地址', help: '仅在不同于 {address} 时填写，例如由世纪互联运营的 Azure。' },
  },
  namecheap: {
    apiUser: { title: 'API 用户', help: '账户的名称。' },
    apiKey: { help: '开通后在 Profile → Tools → API Access 中查看。' },
    userName: { title: '用户名', help: '仅当域名属于 API 用户以外的账户时填写。' },
    clientIp: { title: '客户端 IP', help: '本服务的公网 IPv4 地址，须在该处加入白名单。' },
  },
  linode: {
    apiToken: {
      title: '个人访问令牌',
      help: '在 Cloud Manager 的个人资料 → API Tokens 中创建；只显示一次，并在所选日期到期。',
    },
  },
  porkbun: {
    apiKey: { help: '在 porkbun.com/account/api 创建；以 pk1_ 开头。' },
    secretApiKey: { title: 'API 私钥', help: '与 API 密钥一起只显示一次；以 sk1_ 开头。' },
  },
  technitium: {
    apiUrl: { help: 'DNS 服务器网页控制台的地址，或其前面代理的地址。' },
    apiToken: { help: '在网页控制台的用户菜单 → Create API Token 中创建；拥有该用户的全部权限。' },
  },
  scaleway: {
    secretKey: {
      help: 'API 密钥的一部分，在控制台的 IAM → API keys 中创建；与不需要的 access key 一起只显示一次。',
    },
    projectId: { title: '项目 ID', help: '拥有区域的项目：Project dashboard → Settings。' },
  },
  bunny: { apiKey: { help: '账户的密钥：控制台的 Account settings → API；不是存储区的密钥。' } },
  ionos: {
    apiKey: {
      help: '公开前缀和密钥之间用点连接，在 developer.hosting.ionos.com/keys 创建；密钥只显示一次。',
    },
  },
  inwx: {
    username: { help: '账户的用户名，最好是专用于此的子账户。' },
    password: { help: 'inwx.com 的登录密码。' },
    totpSecret: { title: '第二因素密钥', help: '仅在启用双因素验证时填写：INWX 在二维码旁显示的密钥。' },
  },
  namecom: {
    username: { help: '拥有域名的账户的用户名。' },
    apiToken: { help: '在 www.name.com/account/settings/api 中创建，选择 production 令牌。' },
  },
  ns1: {
    apiKey: { help: '在门户的 Account settings → Users & teams → API keys 中创建。' },
  },
  netcup: {
    customerNumber: { title: '客户编号', help: '登录客户控制面板所用的编号。' },
    apiKey: { help: '在客户控制面板的 Master Data → API 中创建。' },
    apiPassword: { title: 'API 密码', help: '与密钥一起创建；不是登录密码。' },
    domains: {
      title: '域名',
      help: '要列出的域名，以空格分隔：netcup 只向经销商提供列表。其他域名可按名称查找。',
    },
  },
  njalla: { apiToken: { help: '在 njal.la 的 Settings → API 中创建；可限定域名和方法。' } },
  volcengine: {
    accessKeyId: { help: '在控制台创建：账户菜单 → API 访问密钥，或 访问控制 → 用户。' },
    secretAccessKey: { help: '与 ID 配对。' },
  },
}

/** Permissions that credentials need. */
export const rights: FieldTable['rights'] = {
  powerdns: 'PowerDNS 只有一个密钥，可执行任何操作；须启用 api 设置，且不能启用 api-readonly。',
  rfc2136:
    '同一密钥用于区域传输（AXFR）和更新；在 BIND 中为 allow-transfer 及 allow-update 或 update-policy，在 Knot 中为包含 transfer 和 update 的 acl。',
  cloudflare:
    '对相关区域具有 Zone → Zone → Read 和 Zone → DNS → Edit 权限的令牌；创建和删除区域还需要账户的 Zone → Zone → Edit。',
  desec:
    '可写入 RRset 的令牌；如使用策略，须包含相关域名。创建和删除域名需要 perm_create_domain 和 perm_delete_domain。如限定网段，须包含本服务的网段。',
  digitalocean:
    '具有 domain:read 和 domain:update 自定义权限的令牌；创建和删除域名还需要 domain:create 和 domain:delete。',
  hetzner: '拥有区域的项目中具有 Read & Write 权限的令牌。',
  dnspod:
    '具有 QcloudDNSPodFullAccess 策略的子账号密钥，或自定义策略：dnspod:DescribeDomainList、DescribeDomain、DescribeRecordList、CreateRecord、CreateRecordBatch、DescribeBatchTask、ModifyRecord 和 DeleteRecord；创建和删除域名还需要 CreateDomain 和 DeleteDomain。',
  gandi:
    '对相关域名具有“See and renew domain names”和“Manage domain name technical configurations”权限的个人访问令牌。',
  alidns:
    '具有 AliyunDNSFullAccess 策略的 RAM 用户的 AccessKey，或自定义策略：alidns:DescribeDomains、DescribeDomainInfo、DescribeDomainRecords、AddDomainRecord、OperateBatchDomain、DescribeBatchResultCount、DescribeBatchResultDetail、UpdateDomainRecord、UpdateDomainRecordRemark、SetDomainRecordStatus 和 DeleteDomainRecord；创建和删除域名还需要 AddDomain 和 DeleteDomain。',
  route53:
    '专用的用户或角色，策略包含 route53:ListHostedZones、ListHostedZonesByName、GetChange（全部资源），以及相关托管区域的 GetHostedZone、GetDNSSEC、ListResourceRecordSets 和 ChangeResourceRecordSets；创建和删除区域还需要 CreateHostedZone 和 DeleteHostedZone。',
  huawei:
    '具有 DNS FullAccess 策略的 IAM 用户的密钥，或自定义策略：dns:zone:list、dns:zone:get、dns:nameserver:list，以及 dns:recordset:list、get、create、update 和 delete；创建和删除区域还需要 dns:zone:create 和 dns:zone:delete。',
  google:
    '服务账号的角色须包含 dns.managedZones.list 和 get、dns.resourceRecordSets.*、dns.changes.create 和 get，DNSSEC 还需要 dns.managedZones.update 和 dns.dnsKeys.list；创建和删除区域还需要 dns.managedZones.create 和 delete。DNS Administrator 角色包含全部权限。',
  godaddy:
    '拥有域名的账户的 Production 密钥。对于域名少于十个或没有 Discount Domain Club 计划的账户，GoDaddy 会答复没有访问权限。',
  ovh: '密钥须允许对 /domain/zone 执行 GET，并对 /domain/zone/*（或相关区域的 /domain/zone/<名称>/*）执行 GET、POST、PUT 和 DELETE。',
  dnsimple:
    '对 Zones 具有完全访问权限的账户访问令牌；创建区域还需要 Domains 的完全访问权限。低于 Teams 的套餐只有拥有账户全部权限的令牌。',
  gcore: '其角色可修改 DNS 区域的用户的永久 API 令牌。',
  vultr: '只具有 Manage DNS 权限的用户的 API 密钥。',
  azure:
    '对资源组具有 DNS Zone Contributor 角色的应用程序（服务主体），或对相关区域具有该角色并对资源组具有 Reader 角色。',
  namecheap:
    '开通 API 访问的账户：Namecheap 要求有 20 个域名、余额 50 美元，或两年内消费 50 美元；密钥拥有账户的全部权限。本服务的地址须加入白名单。',
  linode: '具有 Domains: Read/Write 权限的令牌，其用户可修改相关域名。',
  porkbun: '拥有域名的账户的密钥，并为每个相关域名开启 API 访问。密钥拥有账户的全部权限。',
  technitium:
    '用户的令牌，该用户对 Zones 部分具有 View 权限，对相关区域具有 View、Modify 和 Delete 权限；创建和删除区域还需要该部分的 Modify 和 Delete。',
  scaleway: 'IAM 应用程序的 API 密钥，其策略在区域所在项目中具有 DomainsDNSFullAccess 权限集。',
  bunny: '账户的 API 密钥：没有权限更小的密钥。',
  ionos: '拥有域名的账户的 API 密钥：没有权限更小的密钥。',
  inwx: '有权管理相关域名名称服务器的子账户，或拥有全部权限的账户本身。',
  netcup: '拥有域名的账户的 API 密钥和密码，可执行 API 的全部操作。',
  njalla:
    '限定于相关域名的令牌，包含方法 list-domains、list-records、add-record、edit-record 和 remove-record。',
  namecom: '拥有域名的账户的 API 令牌：没有权限更小的令牌。',
  ns1: '对相关区域具有“View zones”和“Manage zones”权限的 API 密钥；创建和删除区域时须对全部区域有效。',
  volcengine: '具有 DNSFullAccess 策略的 IAM 用户的密钥。',
}
