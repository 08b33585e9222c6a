/**
 * Guesses the encoding of text that is not Unicode from how well each candidate explains its bytes. Careful: what is not
 * clearly Chinese, Japanese, Korean or Cyrillic is Western, where every byte is one character.
 */
import { TextDecoder } from 'node:util';
import { characterLength, type MultiByte } from './character-length.ts';
import type { LegacyEncoding } from './legacy-codec.ts';
import { westernLook } from './western-look.ts';

const SAMPLE = 1 << 18;
/** A candidate must explain the average character at least so well; 1 is a character in everyday use. */
const CLEAR = 0.7;
const CLEAR_CYRILLIC = 0.95;
/** Enough where the bytes are no Western text either. */
const WEAK = 0.35;
/** Below this, bytes hardly are Western text. */
const WESTERN = 0.6;
const SURELY_WESTERN = 0.7;
/** So many characters leave no doubt, nor does such a distance to the next candidate. */
const MANY = 8;
const AHEAD = 0.5;

export interface Guess {
  encoding: LegacyEncoding | 'latin-1';
  /** Another encoding would explain the bytes nearly as well. */
  doubtful: boolean;
}

/** How well an encoding explains a text, and by how many characters. */
interface Score {
  encoding: LegacyEncoding;
  score: number;
  count: number;
}

const NONE = { score: 0, count: 0 };

export function guessEncoding(bytes: Buffer): Guess {
  const sample = bytes.subarray(0, SAMPLE);
  const scores: Score[] = [
    ...(Object.keys(WEIGHTS) as Family[]).map((encoding) => ({ encoding, ...multiByteScore(encoding, sample) })),
    ...(['windows-1251', 'koi8-r'] as const).map((encoding) => ({ encoding, ...cyrillicScore(encoding, sample) })),
  ].sort((a, b) => b.score - a.score);
  const [best, next] = scores as [Score, Score];
  const look = westernLook(sample);
  const isClear = best.score >= (isCyrillic(best.encoding) ? CLEAR_CYRILLIC : CLEAR) && best.count > 1;
  if (isClear || (look < WESTERN && best.score >= WEAK)) {
    const isSure = best.count >= MANY || (best.score - Math.max(next.score, 0) >= AHEAD && look < WESTERN);
    const isFull = best.encoding === 'gbk' && hasFourBytes(bytes);
    return { encoding: isFull ? 'gb18030' : best.encoding, doubtful: !isClear || !isSure };
  }
  // In Latin-1 these bytes are control characters that no text has.
  const encoding = bytes.some((byte) => byte >= 0x80 && byte < 0xa0) ? 'windows-1252' : 'latin-1';
  return { encoding, doubtful: look < SURELY_WESTERN };
}

const isCyrillic = (encoding: LegacyEncoding): boolean => encoding === 'windows-1251' || encoding === 'koi8-r';

type Family = Exclude<MultiByte, 'gb18030'>;

/** How likely a character of two bytes is; undefined says nothing either way. */
type Weight = (lead: number, trail: number) => number | undefined;

const HALF_WIDTH = -0.4;

const WEIGHTS: Readonly<Record<Family, Weight>> = {
  gbk: (lead, trail) => {
    if (trail < 0xa1 || lead < 0xa1) return -0.5;
    if (lead === 0xa4 || lead === 0xa5) return 0;
    if (lead < 0xb0) return undefined;
    return lead <= 0xd7 ? 1 : lead <= 0xf7 ? 0.3 : -0.5;
  },
  'euc-kr': (lead, trail) => {
    if (trail < 0xa1 || lead < 0xa1) return -0.3;
    if (lead === 0xa4 || lead === 0xa5) return 0;
    if (lead < 0xb0) return undefined;
    return lead <= 0xc8 ? 1 : lead <= 0xfd ? 0.2 : -0.5;
  },
  'euc-jp': (lead, trail) => {
    if (lead === 0x8e) return HALF_WIDTH;
    if (lead === 0x8f) return 0;
    if (lead === 0xa4) return trail <= 0xf3 ? 1.2 : -0.5;
    if (lead === 0xa5) return trail <= 0xf6 ? 1.1 : -0.5;
    if (lead < 0xb0) return undefined;
    return lead <= 0xcf ? 0.8 : 0.2;
  },
  shift_jis: (lead, trail) => {
    if (lead === 0x82 && trail >= 0x9f && trail <= 0xf1) return 1.2;
    if (lead === 0x83 && trail >= 0x40 && trail <= 0x96) return 1.1;
    if (lead < 0x88) return undefined;
    return lead < 0x98 ? 0.8 : lead <= 0xea ? 0.2 : -0.2;
  },
  big5: (lead, trail) => {
    if (trail > 0x7e && trail < 0xa1) return -1;
    if (lead < 0xa1) return -0.5;
    if (lead < 0xa4) return undefined;
    return lead <= 0xc6 ? 0.9 : lead >= 0xc9 && lead <= 0xf9 ? 0.2 : -0.5;
  },
};

const KANJI =
  '日本語設定終了開始保存読込書名前値数文字列配空白中大小人年月時分秒間今回上下前後新旧東京漢変更削除追加編集表示一覧検索確認登録画面入力出力処理実行結果成功失敗成否必要不可使用者利引返戻初期化計算合売金額商品番号会社員全件数型定義関数例外条件判取得送受信接続切断待機状態有無効行列目的用対応方法内容部分通常自動手動言選択項目';

/** What is written most in each language, and in comments and messages of programs. */
const COMMON: Readonly<Record<Family, string>> = {
  gbk: '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运测试错误读写返回值参数字符串配置默认请输入输出登录用户密码注释调用你好京姓名返取消确初始化关闭连接简价格爱保存功删除添修改查询',
  'euc-kr':
    '이다는에의을가고로를은하한지자기사인시도리대어서수정나있스해일아제부보전들그상것장주라적동면요과만오구원여조성경위공연마소모비안신세유드계트관문되생용우치중으게니화러할선내회발체무선방분실금당통국간년호합양외때등물식행결현진명개더데파류값설본입력출력오류함수호출확인사용자취소종료저장이름번호비밀삭제변경추가설정파일테스트안녕하세요서울한글',
  'euc-jp': KANJI,
  shift_jis: KANJI,
  big5: '的一是不我有人在了他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體美相見被利什二等產或新己制身果加資料檔案使用者設定測試錯誤訊息輸入輸出登入密碼名稱數字串參數函式變數註解返回值請確認系統程式網路伺服器你好取消確定初始化關閉連線台北姓名儲存成功繁體刪除新增修改查詢',
};

/** Average weight of the characters that say something; 0 when there are none or the bytes do not decode. */
function multiByteScore(encoding: Family, sample: Buffer): { score: number; count: number } {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding === 'gbk' ? 'gb18030' : encoding, { fatal: true });
  } catch {
    return NONE; // A Node.js that was built without these tables.
  }
  const walk = encoding === 'gbk' ? 'gb18030' : encoding;
  const weight = WEIGHTS[encoding];
  const common = new Set(COMMON[encoding]);
  let sum = 0;
  let count = 0;
  let known = 0;
  for (let at = 0; at < sample.length; ) {
    const lead = sample[at]!;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const length = characterLength(walk, sample, at);
    if (at + length > sample.length) break;
    let value: number | undefined;
    if (length === 1) {
      if (encoding !== 'shift_jis' || lead < 0xa1 || lead > 0xdf) return NONE;
      value = HALF_WIDTH;
    } else if (length === 2) {
      const trail = sample[at + 1]!;
      if (trail < 0x40) return NONE;
      // One such character inside a word of Latin letters is rather one or two of their own.
      value = isLone(walk, sample, at, length) ? -0.5 : weight(lead, trail);
      if (value !== undefined && value > 0 && common.size > 0) {
        const character = read(decoder, sample.subarray(at, at + 2));
        if (character === undefined) return NONE;
        if (common.has(character)) {
          value += 0.5;
          known++;
        } else if (value > 1) known++;
      }
    } else value = length === 4 ? 0.5 : 0;
    if (value !== undefined) {
      sum += value;
      count++;
    }
    at += length;
  }
  if (count === 0) return NONE;
  // So few characters must all but spell a word.
  const isWord = count >= 4 || known * 2 >= count;
  return { score: (sum / count) * (isWord ? 1 : 0.6), count };
}

function isLone(encoding: MultiByte, sample: Buffer, at: number, length: number): boolean {
  const before = sample[at - 1] ?? 0;
  const after = sample[at + length] ?? 0;
  if (after >= 0x80 || (before >= 0x80 && characterLength(encoding, sample, at - 1) > 0)) return false;
  return isLatinLetter(before) || isLatinLetter(after);
}

const isLatinLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

function read(decoder: TextDecoder, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Lower-case letters in the order of their frequency in Russian, by their place in each encoding. */
const FREQUENT = 'оеаинтсрвлкмдпу';
/** Ё, and in Windows-1251 the letters of Ukrainian and Belarusian, which stand apart. */
const KOI8_OTHERS = { lower: [0xa3], upper: [0xb3] };
const WINDOWS_OTHERS = { lower: [0xb8, 0xb3, 0xba, 0xbf, 0xb4, 0xa2], upper: [0xa8, 0xb2, 0xaa, 0xaf, 0xa5, 0xa1] };
const KOI8_LOWER = 'юабцдефгхийклмнопярстужвьызшэщчъ';

function cyrillicScore(encoding: 'windows-1251' | 'koi8-r', sample: Buffer): { score: number; count: number } {
  const isKoi = encoding === 'koi8-r';
  const { lower, upper } = isKoi ? KOI8_OTHERS : WINDOWS_OTHERS;
  const isLower = (byte: number) => lower.includes(byte) || (isKoi ? byte >= 0xc0 && byte < 0xe0 : byte >= 0xe0);
  const isLetter = (byte: number) => byte >= 0xc0 || lower.includes(byte) || upper.includes(byte);
  const frequent = new Set(
    [...FREQUENT].map((letter) =>
      isKoi ? 0xc0 + KOI8_LOWER.indexOf(letter) : 0xe0 + letter.charCodeAt(0) - 'а'.charCodeAt(0),
    ),
  );
  /** A capital has the same place 32 further down, in KOI8 further up. */
  const isFrequentCapital = (byte: number) => frequent.has(isKoi ? byte - 0x20 : byte + 0x20);
  let sum = 0;
  let count = 0;
  let inWords = 0;
  for (let at = 0; at < sample.length; at++) {
    if (sample[at]! < 0x80) continue;
    const start = at;
    while (at < sample.length && isLetter(sample[at]!)) at++;
    const length = at - start;
    if (length === 0) {
      // No-break space and the signs of quotation and number stand between words.
      if (![0xa0, 0xab, 0xbb, 0xb9, 0x96, 0x97, 0x93, 0x94, 0x85].includes(sample[start]!)) {
        sum -= 0.3;
        count++;
      }
      continue;
    }
    at--;
    const mixed = isLatinLetter(sample[start - 1] ?? 0) || isLatinLetter(sample[start + length] ?? 0);
    const isUpper = sample.subarray(start, start + length).every((byte) => !isLower(byte));
    for (let i = start; i < start + length; i++) {
      const byte = sample[i]!;
      // A few such letters in a word of Latin ones are accents; many are two words without a space.
      if (mixed && length < 4) sum -= 1;
      else if (mixed || length < 3) continue;
      else if (isLower(byte)) sum += frequent.has(byte) ? 1.2 : 0.6;
      else if (isUpper) sum += isFrequentCapital(byte) ? 1.15 : 0.5;
      else sum += i === start ? 0.8 : -1;
      count++;
      if (length >= 3) inWords++;
    }
  }
  if (inWords < 3 || count === 0) return NONE;
  return { score: (sum / count) * (inWords < 6 ? 0.8 : 1), count };
}

function hasFourBytes(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at]! < 0x80 ? 1 : characterLength('gb18030', bytes, at);
    if (length === 4) return true;
    at += length;
  }
  return false;
}
