import Glibc

/// How much longer than usual tests may take that go through many seeds: 1, or what HR_RAW_EFFORT says, as in `make check`.
public let effort: Int = {
    guard let text = unsafe getenv("HR_RAW_EFFORT") else { return 1 }
    return max(1, Int(unsafe String(cString: text)) ?? 1)
}()
