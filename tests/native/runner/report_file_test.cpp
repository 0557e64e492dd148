#include "runner/report_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ReportFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "report file XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  std::string folder_;
};

TEST_F(ReportFileTest, MovesTheWholeTextIntoPlace) {
  std::ofstream(path("r.json")) << "old";
  {
    const auto file = ReportFile::open(path("r.json"));
    ASSERT_TRUE(file.ok()) << file.status().detail();
    EXPECT_EQ(read(path("r.json")), "old") << "until it is committed";
    ASSERT_TRUE((*file)->commit("new").ok());
  }
  EXPECT_EQ(read(path("r.json")), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReportFileTest, WithoutACommitTheOldOneStays) {
  std::ofstream(path("r.json")) << "old";
  {
    ASSERT_TRUE(ReportFile::open(path("r.json")).ok());
  }
  EXPECT_EQ(read(path("r.json")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReportFileTest, IsAsPublicAsTheUmaskAllows) {
  const mode_t mask = umask(022);
  ASSERT_TRUE((*ReportFile::open(path("r.json")))->commit("x").ok());
  umask(mask);
  struct stat status{};
  ASSERT_EQ(stat(path("r.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644u);
}

TEST_F(ReportFileTest, APathThatCannotBeWrittenFailsAtOnce) {
  EXPECT_EQ(ReportFile::open(path("none/r.json")).status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(ReportFile::open(folder_).status().detail(), HasSubstr("is a directory"));
  EXPECT_FALSE(ReportFile::open("").ok());
  EXPECT_EQ(files(), 0u);
}

TEST_F(ReportFileTest, AFullDeviceIsAFailedRun) {
  const auto file = ReportFile::open("/dev/full");
  ASSERT_TRUE(file.ok());
  const Status status = (*file)->commit("x");
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
  EXPECT_THAT(status.detail(), HasSubstr("No space left"));
}

TEST_F(ReportFileTest, PathsMayHoldAnyByte) {
  const std::string odd = path("q'u\"o\nte\xff.json");
  const auto file = ReportFile::open(odd);
  ASSERT_TRUE(file.ok()) << file.status().detail();
  ASSERT_TRUE((*file)->commit("x").ok());
  EXPECT_EQ(read(odd), "x");
}

}  // namespace
}  // namespace vgfio
