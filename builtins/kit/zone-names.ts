/**
 * What time zones call their hours: `CET` and `CEST`. Intl knows every zone's offset but has such names for few of them. Zones
 * that are not here have no name of their own: they show the offset (`+03`). The names are today's.
 */

/** Standard time, summer time (the greater offset), and the zones that call them so. */
const GROUPS: readonly (readonly [standard: string, summer: string, zones: string])[] = [
  ['ACST', 'ACDT', 'Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna'],
  ['ACST', 'ACST', 'Australia/Darwin Australia/North'],
  [
    'AEST',
    'AEDT',
    'Antarctica/Macquarie Australia/ACT Australia/Canberra Australia/Currie Australia/Hobart Australia/Melbourne Australia/NSW Australia/Sydney Australia/Tasmania Australia/Victoria',
  ],
  ['AEST', 'AEST', 'Australia/Brisbane Australia/Lindeman Australia/Queensland'],
  [
    'AKST',
    'AKDT',
    'America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat US/Alaska',
  ],
  [
    'AST',
    'ADT',
    'America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton America/Thule Atlantic/Bermuda Canada/Atlantic',
  ],
  [
    'AST',
    'AST',
    'America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot America/Martinique America/Montserrat America/Port_of_Spain America/Puerto_Rico America/Santo_Domingo America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin',
  ],
  ['AWST', 'AWST', 'Australia/Perth Australia/West'],
  [
    'CAT',
    'CAT',
    'Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Juba Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Windhoek',
  ],
  [
    'CET',
    'CEST',
    'Africa/Ceuta Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich Poland',
  ],
  ['CET', 'CET', 'Africa/Algiers Africa/Tunis'],
  [
    'CST',
    'CDT',
    'America/Chicago America/Havana America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN America/Matamoros America/Menominee America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem America/Ojinaga America/Rainy_River America/Rankin_Inlet America/Resolute America/Winnipeg CST6CDT Canada/Central Cuba US/Central US/Indiana-Starke',
  ],
  [
    'CST',
    'CST',
    'America/Bahia_Banderas America/Belize America/Chihuahua America/Costa_Rica America/El_Salvador America/Guatemala America/Managua America/Merida America/Mexico_City America/Monterrey America/Regina America/Swift_Current America/Tegucigalpa Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei Canada/Saskatchewan Mexico/General PRC ROC',
  ],
  ['ChST', 'ChST', 'Pacific/Guam Pacific/Saipan'],
  [
    'EAT',
    'EAT',
    'Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte',
  ],
  [
    'EET',
    'EEST',
    'Africa/Cairo Asia/Beirut Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Nicosia EET Egypt Europe/Athens Europe/Bucharest Europe/Chisinau Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Mariehamn Europe/Nicosia Europe/Riga Europe/Sofia Europe/Tallinn Europe/Tiraspol Europe/Uzhgorod Europe/Vilnius Europe/Zaporozhye',
  ],
  ['EET', 'EET', 'Africa/Tripoli Europe/Kaliningrad Libya'],
  [
    'EST',
    'EDT',
    'America/Detroit America/Fort_Wayne America/Grand_Turk America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Indianapolis America/Iqaluit America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville America/Montreal America/Nassau America/New_York America/Nipigon America/Pangnirtung America/Port-au-Prince America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT US/East-Indiana US/Eastern US/Michigan',
  ],
  [
    'EST',
    'EST',
    'America/Atikokan America/Cancun America/Cayman America/Coral_Harbour America/Jamaica America/Panama EST Jamaica',
  ],
  ['GMT', 'BST', 'Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire'],
  ['GMT', 'IST', 'Eire Europe/Dublin'],
  [
    'GMT',
    'GMT',
    'Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich Iceland',
  ],
  ['HKT', 'HKT', 'Asia/Hong_Kong Hongkong'],
  ['HST', 'HDT', 'America/Adak America/Atka US/Aleutian'],
  ['HST', 'HST', 'HST Pacific/Honolulu Pacific/Johnston US/Hawaii'],
  ['IST', 'IDT', 'Asia/Jerusalem Asia/Tel_Aviv Israel'],
  ['IST', 'IST', 'Asia/Calcutta Asia/Kolkata'],
  ['JST', 'JST', 'Asia/Tokyo Japan'],
  ['KST', 'KST', 'Asia/Pyongyang Asia/Seoul ROK'],
  ['MET', 'MEST', 'MET'],
  ['MSK', 'MSK', 'Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd W-SU'],
  [
    'MST',
    'MDT',
    'America/Boise America/Cambridge_Bay America/Ciudad_Juarez America/Denver America/Edmonton America/Inuvik America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Navajo US/Mountain',
  ],
  [
    'MST',
    'MST',
    'America/Creston America/Dawson America/Dawson_Creek America/Fort_Nelson America/Hermosillo America/Mazatlan America/Phoenix America/Whitehorse Canada/Yukon MST Mexico/BajaSur US/Arizona',
  ],
  ['NST', 'NDT', 'America/St_Johns Canada/Newfoundland'],
  ['NZST', 'NZDT', 'Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland'],
  ['PKT', 'PKT', 'Asia/Karachi'],
  [
    'PST',
    'PDT',
    'America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana America/Vancouver Canada/Pacific Mexico/BajaNorte PST8PDT US/Pacific',
  ],
  ['PST', 'PST', 'Asia/Manila'],
  ['SAST', 'SAST', 'Africa/Johannesburg Africa/Maseru Africa/Mbabane'],
  ['SST', 'SST', 'Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa'],
  ['UTC', 'UTC', 'Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu'],
  [
    'WAT',
    'WAT',
    'Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo',
  ],
  ['WET', 'WEST', 'Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Europe/Lisbon Portugal WET'],
  ['WIB', 'WIB', 'Asia/Jakarta Asia/Pontianak'],
  ['WIT', 'WIT', 'Asia/Jayapura'],
  ['WITA', 'WITA', 'Asia/Makassar Asia/Ujung_Pandang'],
];

export interface ZoneNames {
  readonly standard: string;
  readonly summer: string;
}

let byZone: Map<string, ZoneNames> | undefined;

export function zoneNames(zone: string): ZoneNames | undefined {
  if (byZone === undefined) {
    byZone = new Map();
    for (const [standard, summer, zones] of GROUPS) {
      for (const name of zones.split(' ')) byZone.set(name, { standard, summer });
    }
  }
  return byZone.get(zone);
}
